/** What to apply, as the model gives it. */
export type Choice<T> =
  | { readonly ok: true; readonly action: T }
  /** Why, with the next step. */
  | { readonly ok: false; readonly why: string };

/**
 * The action that is meant: by its number in a list that was told, by its title, or by a part of it
 * that only one has.
 * @param told titles of the last list; a number means one of those, since the offer may have changed
 */
export function chooseAction<T extends { readonly title: string }>(
  wanted: string,
  offered: readonly T[],
  told: readonly string[] | undefined,
): Choice<T> {
  const text = wanted.trim();
  if (offered.length === 0) return { ok: false, why: 'no action is offered there' };
  if (/^\d+$/u.test(text)) return byNumber(Number(text), offered, told);
  const low = text.toLowerCase();
  const exact = offered.filter(({ title }) => title.trim() === text);
  const parts = offered.filter(({ title }) => title.toLowerCase().includes(low));
  const [first, ...more] = exact.length > 0 ? exact : parts;
  if (first === undefined)
    return { ok: false, why: `no action has '${text.slice(0, 60)}' in its title` };
  if (more.length === 0 || exact.length > 0) return { ok: true, action: first };
  return {
    ok: false,
    why: `${more.length + 1} actions have '${text.slice(0, 60)}' in their titles`,
  };
}

function byNumber<T extends { readonly title: string }>(
  number: number,
  offered: readonly T[],
  told: readonly string[] | undefined,
): Choice<T> {
  if (told === undefined) return { ok: false, why: 'no list was given for this place yet' };
  const title = told[number - 1];
  if (title === undefined) return { ok: false, why: `the list had ${told.length} actions` };
  const action = offered.find((one) => one.title === title);
  return action
    ? { ok: true, action }
    : { ok: false, why: `'${title.slice(0, 60)}' is offered no more` };
}
