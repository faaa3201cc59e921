import { isJsonObject } from '../protocol/lazySchema';

/** A tool's input or its account of what it did, read field by field: any may be missing or mistyped. */
export class ToolFields {
  readonly #data: unknown;

  constructor(data: unknown) {
    this.#data = data;
  }

  value(key: string): unknown {
    return isJsonObject(this.#data) ? this.#data[key] : undefined;
  }

  /** Empty where there is none. */
  text(key: string): string {
    const value = this.value(key);
    return typeof value === 'string' ? value : '';
  }

  count(key: string): number | undefined {
    const value = this.value(key);
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
  }

  isTrue(key: string): boolean {
    return this.value(key) === true;
  }

  inner(key: string): ToolFields {
    return new ToolFields(this.value(key));
  }

  /** The entries of a list. */
  list(key: string): readonly ToolFields[] {
    const value = this.value(key);
    return Array.isArray(value) ? value.map((entry: unknown) => new ToolFields(entry)) : [];
  }
}
