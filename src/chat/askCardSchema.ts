import * as z from 'zod/mini';
import { MAX_TEXT } from '../base/formField';

/** Bounds what a view may send: what is above the most that is taken is told as such. */
const MAX_VALUE = 5 * MAX_TEXT;
const MAX_KEYS = 1000;

const value = z.union([
  z.string().check(z.maxLength(MAX_VALUE)),
  z.boolean(),
  z.readonly(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(MAX_KEYS))),
]);

/** What the person answers: to a form, a page, questions or a plan. */
export const askReplySchema = () =>
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('accept'), draft: formDraftSchema }),
    z.object({ action: z.literal('decline') }),
    z.object({ action: z.literal('approve'), acceptEdits: z.boolean() }),
    z.object({
      action: z.literal('keepPlanning'),
      words: z.string().check(z.maxLength(MAX_VALUE)),
    }),
  ]);

/** What the person has put into a form so far. */
export const formDraftSchema = z
  .record(z.string().check(z.maxLength(40)), value)
  .check(z.refine((draft) => Object.keys(draft).length <= MAX_KEYS));

const field = {
  id: z.string(),
  name: z.string(),
  label: z.string(),
  description: z.optional(z.string()),
  required: z.boolean(),
  orNull: z.optional(z.boolean()),
};
const limit = z.optional(z.number());
const choices = z.array(
  z.object({
    label: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()]),
    description: z.optional(z.string()),
  }),
);

const formField = z.discriminatedUnion('kind', [
  z.object({
    ...field,
    kind: z.literal('text'),
    format: z.optional(z.enum(['email', 'uri', 'date', 'date-time', 'json'])),
    minLength: limit,
    maxLength: limit,
    pattern: z.optional(z.string()),
    initial: z.optional(z.string()),
  }),
  z.object({
    ...field,
    kind: z.literal('number'),
    integer: z.boolean(),
    minimum: limit,
    maximum: limit,
    exclusiveMinimum: limit,
    exclusiveMaximum: limit,
    multipleOf: limit,
    initial: limit,
  }),
  z.object({ ...field, kind: z.literal('boolean'), initial: z.optional(z.boolean()) }),
  z.object({ ...field, kind: z.literal('choice'), choices, initial: limit }),
  z.object({
    ...field,
    kind: z.literal('choices'),
    choices,
    minItems: limit,
    maxItems: limit,
    initial: z.optional(z.array(z.number())),
  }),
]);

const card = {
  id: z.string(),
  toolUseId: z.optional(z.string()),
  title: z.string(),
  draft: z.optional(formDraftSchema),
};

const planComment = z.object({
  id: z.string(),
  from: z.number(),
  to: z.number(),
  quote: z.string(),
  origin: z.optional(z.string()),
  text: z.string(),
  isGone: z.optional(z.boolean()),
});

/** A card as it was kept for the next process. */
export const askCardSchema = z.discriminatedUnion('kind', [
  z.object({
    ...card,
    kind: z.literal('form'),
    server: z.string(),
    message: z.string(),
    fields: z.array(formField),
  }),
  z.object({
    ...card,
    kind: z.literal('link'),
    server: z.string(),
    message: z.string(),
    url: z.string(),
    host: z.optional(z.string()),
  }),
  z.object({
    ...card,
    kind: z.literal('questions'),
    questions: z.array(
      z.object({
        question: z.string(),
        header: z.string(),
        multi: z.boolean(),
        options: z.array(
          z.object({
            label: z.string(),
            description: z.string(),
            preview: z.optional(z.string()),
          }),
        ),
      }),
    ),
  }),
  z.object({
    ...card,
    kind: z.literal('plan'),
    plan: z.optional(z.string()),
    cutFrom: z.optional(z.number()),
    edited: z.optional(z.string()),
    shown: z.optional(z.string()),
    comments: z.array(planComment),
  }),
]);
