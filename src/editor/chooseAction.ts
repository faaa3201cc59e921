/** What to apply, as the model gives it. */
export type Choice<T> =
  | { readonly ok: true; readonly action: T }
  /** Why, with the next step. */
  | {
      readonly ok: false;
      readonly why: string;
      /** Where several are meant: their places in the offer. */
      readonly candidates?: readonly number[];
    };

/**
 * The action that is meant: by its number in a list that was told, by its title, or by a part of it
 * that only one has.
 * @param told titles of the last list; a number means one of those, since the offer may have changed
 * @param isSameText it has not changed since that list
 */
export function chooseAction<T extends { readonly title: string }>(
  wanted: string,
  offered: readonly T[],
  told: readonly string[] | undefined,
  isSameText = true,
): Choice<T> {
  const text = wanted.trim();
  if (offered.length === 0) return { ok: false, why: 'no action is offered there' };
  if (/^\d+$/u.test(text)) return byNumber(Number(text), offered, told, isSameText);
  const short = text.slice(0, 60);
  const low = text.toLowerCase();
  const exact = offered.filter(({ title }) => title.trim() === text);
  const parts = offered.filter(({ title }) => title.toLowerCase().includes(low));
  const [first, ...more] = exact.length > 0 ? exact : parts;
  if (first === undefined) return { ok: false, why: `no action has '${short}' in its title` };
  if (more.length === 0) return { ok: true, action: first };
  const what =
    exact.length > 0 ? `actions are called '${short}'` : `actions have '${short}' in their titles`;
  return several(`${more.length + 1} ${what}`, offered, [first, ...more]);
}

function byNumber<T extends { readonly title: string }>(
  number: number,
  offered: readonly T[],
  told: readonly string[] | undefined,
  isSameText: boolean,
): Choice<T> {
  if (told === undefined) return { ok: false, why: 'no list was given for this place yet' };
  const title = told[number - 1];
  if (title === undefined) return { ok: false, why: `the list had ${told.length} actions` };
  const short = title.slice(0, 60);
  const isIts = (one: string): boolean => one === title;
  const same = offered.filter((one) => isIts(one.title));
  if (same.length === 0) return { ok: false, why: `'${short}' is offered no more` };
  const listed = told.filter(isIts).length;
  // Equal ones are told apart by their order, which says nothing of another text.
  const isKnown = same.length === listed && (listed === 1 || isSameText);
  const action = same[told.slice(0, number - 1).filter(isIts).length];
  if (isKnown && action) return { ok: true, action };
  return several(
    `the list is out of date: ${listed} were called '${short}', now ${same.length}`,
    offered,
    same,
  );
}

function several<T>(why: string, offered: readonly T[], meant: readonly T[]): Choice<T> {
  return { ok: false, why, candidates: meant.map((one) => offered.indexOf(one)) };
}
