import type { $strip, $ZodObject, $ZodType, output } from 'zod/v4/core';

/** A plain JSON Schema (2020-12 or draft-07) whose root is an object. */
export interface JsonSchemaInput {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** A schema of zod 3, as far as we look at it; zod 4 has `_zod` besides. */
export interface OldZodType<Output = unknown> {
  readonly _output: Output;
  readonly _def: object;
  safeParse(data: unknown): unknown;
}

export type ZodShape = Readonly<Record<string, $ZodType>>;
export type OldZodShape = Readonly<Record<string, OldZodType>>;

/** The ways in which an author may describe an object: zod 3 or 4, shape or schema, or JSON Schema. */
export type ToolInput =
  | $ZodType<Record<string, unknown>>
  | OldZodType<Record<string, unknown>>
  | ZodShape
  | OldZodShape
  | JsonSchemaInput;

/** The value that fits: typed by zod; a plain JSON Schema gives a record of unknowns. */
export type InputOf<I extends ToolInput> = I extends $ZodType
  ? output<I>
  : I extends OldZodType<infer Output>
    ? Output
    : I extends JsonSchemaInput
      ? Record<string, unknown>
      : I extends ZodShape
        ? output<$ZodObject<{ -readonly [K in keyof I]: I[K] }, $strip>>
        : I extends OldZodShape
          ? OldShapeOutput<I>
          : never;

type OldShapeOutput<S extends OldZodShape> = {
  -readonly [K in keyof S as undefined extends S[K]['_output'] ? never : K]: S[K]['_output'];
} & {
  -readonly [K in keyof S as undefined extends S[K]['_output'] ? K : never]?: S[K]['_output'];
};
