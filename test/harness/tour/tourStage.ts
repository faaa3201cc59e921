import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { ModelServer } from '../model/modelServer';
import type { Panel } from './panel';
import { readArticle, type ArticlePart } from './readArticle';
import { readTool, toolCards } from './readTool';
import { readUsage } from './readUsage';
import type { Timing } from './timing';
import { expectSeen, type EventEntry, type ToolEntry, type TranscriptEntry } from './transcript';

/** How a permission request of a turn is to be answered. */
export interface Permit {
  /** Its title, as in `Permission request: …`. */
  readonly request: RegExp;
  readonly answer: 'Allow once' | 'Deny';
  /** Called while the request stands. */
  readonly look?: (card: Locator) => Promise<void>;
}

/** What was seen of one turn. */
export interface SeenTurn {
  readonly answer: Locator;
  readonly text: string;
  readonly tools: readonly ToolEntry[];
  /** The answer is marked as stopped. */
  readonly stopped: boolean;
}

const STOPPED = 'Stopped';

/** Everything the scenes play on, and the record of what was seen. */
export class TourStage {
  readonly page: Page;
  readonly panel: Panel;
  readonly model: ModelServer;
  readonly timing: Timing;
  /** The folder that VS Code shows. */
  readonly workspace: string;
  readonly transcript: TranscriptEntry[];
  readonly #outDir: string;

  constructor(parts: {
    page: Page;
    panel: Panel;
    model: ModelServer;
    timing: Timing;
    workspace: string;
    outDir: string;
    transcript: TranscriptEntry[];
  }) {
    this.page = parts.page;
    this.panel = parts.panel;
    this.model = parts.model;
    this.timing = parts.timing;
    this.workspace = parts.workspace;
    this.transcript = parts.transcript;
    this.#outDir = parts.outDir;
  }

  /** Plays a turn from prompt to result and records it. */
  async turn(name: string, prompt: string, permits: readonly Permit[] = []): Promise<SeenTurn> {
    const number = await this.panel.articles('Claude').count();
    const asked: { readonly before: number; readonly event: EventEntry }[] = [];
    const answer = await this.timing.measure(name, async () => {
      await this.panel.send(prompt);
      for (const permit of permits) {
        const event = await this.#permit(permit);
        const started = await toolCards(this.panel.articles('Claude').nth(number)).count();
        asked.push({ before: started - 1, event });
      }
      return this.panel.waitForAnswer(number);
    });
    const status = await this.panel.waitForStatus(/\S/);
    expectSeen(status.startsWith('Idle'), `an idle panel after "${prompt}"`, status);
    const seen = await this.record(answer, asked);
    this.transcript.push(await readUsage(this.panel));
    return seen;
  }

  /** Adds the last prompt and the given answer to the transcript, as they stand in the panel. */
  async record(
    answer: Locator,
    asked: readonly { readonly before: number; readonly event: EventEntry }[] = [],
  ): Promise<SeenTurn> {
    const prompt = await readArticle(this.panel.articles('You').last());
    this.transcript.push({ role: 'user', text: wordsOf(prompt) });
    const shown = await readArticle(answer);
    const stopped = shown.some(isStopMark);
    const parts = shown.filter((part) => !isStopMark(part));
    const tools: ToolEntry[] = [];
    for (const part of parts) {
      if (part.kind === 'text') this.transcript.push({ role: 'assistant', text: part.text });
      else {
        for (const each of asked) if (each.before === part.index) this.transcript.push(each.event);
        const entry = await readTool(toolCards(answer).nth(part.index));
        tools.push(entry);
        this.transcript.push(entry);
      }
    }
    return { answer, text: wordsOf(parts), tools, stopped };
  }

  /** A picture of the whole window. */
  async pictureOfWindow(name: string): Promise<void> {
    await this.#leaveControls();
    await this.page.screenshot({ path: path.join(this.#outDir, `${name}.png`) });
  }

  /** A picture of the panel alone. */
  async pictureOfPanel(name: string): Promise<void> {
    await this.#leaveControls();
    await this.panel.main.screenshot({ path: path.join(this.#outDir, `${name}.png`) });
  }

  /** What is hovered looks different: the pointer rests in the editor, where nothing reacts. */
  async #leaveControls(): Promise<void> {
    const size = this.page.viewportSize();
    if (size !== null) await this.page.mouse.move(size.width * 0.75, size.height * 0.85);
  }

  async #permit(permit: Permit): Promise<EventEntry> {
    const card = this.panel.permission(permit.request);
    await card.waitFor();
    const request = (await card.getAttribute('aria-label')) ?? '';
    // A change shows its diff in the place of the thing, and the heading names the file.
    const thing = card.getByRole('group', { name: 'Request', exact: true });
    const isThere = (await thing.count()) > 0;
    const shown = await (isThere ? thing : card.getByRole('heading').first()).innerText();
    await permit.look?.(card);
    await card.getByRole('button', { name: permit.answer, exact: true }).click();
    await card.waitFor({ state: 'detached' });
    return { event: 'permission', request, shown, answer: permit.answer };
  }
}

/** The line of its own under a stopped answer; the model did not say it. */
function isStopMark(part: ArticlePart): boolean {
  return part.kind === 'text' && part.text === STOPPED;
}

function wordsOf(parts: readonly { readonly kind: string; readonly text?: string }[]): string {
  return parts
    .map((part) => part.text ?? '')
    .filter((text) => text !== '')
    .join('\n\n');
}
