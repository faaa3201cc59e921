import { type Disposable, DisposableStore } from '../base/disposable';
import type { InspectorPanel, InspectorPanelOptions } from './inspectorPanel';
import type { WhatIfPanel, WhatIfPanelOptions } from './whatIfPanel';

/** Pages of which a window has one at a time: loaded when they are first asked for, then shown again. */
export class WindowPages implements Disposable {
  readonly #options: InspectorPanelOptions;
  readonly #registry: WhatIfPanelOptions['registry'];
  readonly #store = new DisposableStore();
  #inspector: InspectorPanel | undefined;
  #whatIf: WhatIfPanel | undefined;

  constructor(options: InspectorPanelOptions, registry: WhatIfPanelOptions['registry']) {
    this.#options = options;
    this.#registry = registry;
  }

  get whatIf(): WhatIfPanel | undefined {
    return this.#whatIf;
  }

  get inspector(): InspectorPanel | undefined {
    return this.#inspector;
  }

  async showWireInspector(): Promise<void> {
    const { InspectorPanel } = await import('./inspectorPanel');
    const { active } = this.#options.hub;
    if (this.#inspector) {
      this.#inspector.reveal(active);
      return;
    }
    const panel = new InspectorPanel(this.#options, active, () => {
      this.#store.delete(panel);
      this.#inspector = undefined;
    });
    this.#inspector = this.#store.add(panel);
  }

  async whatWouldHappen(): Promise<void> {
    const { WhatIfPanel } = await import('./whatIfPanel');
    if (this.#whatIf) {
      this.#whatIf.reveal();
      return;
    }
    const panel = new WhatIfPanel({ ...this.#options, registry: this.#registry }, () => {
      this.#store.delete(panel);
      this.#whatIf = undefined;
    });
    this.#whatIf = this.#store.add(panel);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
