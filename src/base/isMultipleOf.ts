/**
 * Whether a number is a whole multiple, by the decimals that it is written with: 0.3 is one of 0.1,
 * which binary fractions deny, and 1e-12 is none of 1, which rounding would allow.
 */
export function isMultipleOf(value: number, of: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(of) || of === 0) return false;
  const [a, b] = [decimal(value), decimal(of)];
  const scale = Math.min(a.exponent, b.exponent);
  const whole = ({ digits, exponent }: Decimal): bigint => digits * 10n ** BigInt(exponent - scale);
  return whole(a) % whole(b) === 0n;
}

/** `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimal(value: number): Decimal {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
