/** A selection as the model gets it. */
export interface SentSelection {
  /** Absolute; absent for what lies on no disk. */
  readonly file?: string | undefined;
  /** As shown. */
  readonly path: string;
  /** From 1. */
  readonly from: number;
  readonly to: number;
  /** Absent where it is too long: then only its place is told. */
  readonly text?: string | undefined;
}

/** What is selected in the editor, as the panel offers it. */
export interface SelectionOffer {
  /** Of just this text in just this place. */
  readonly id: string;
  /** `cart.ts:3-9`. */
  readonly label: string;
  /** `src/cart.ts:3-9`. */
  readonly place: string;
  /** The person lets it go with each message. */
  readonly isOn: boolean;
  /** It is so long that only its place is told. */
  readonly isLong: boolean;
}
