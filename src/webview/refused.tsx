import { Icon } from './icon';

/** Why the host did not take what was sent. */
export function Refused({ reason }: { readonly reason: string }) {
  return (
    <p class="refused" role="alert" dir="auto">
      <Icon name="warning" />
      <span>{reason}</span>
    </p>
  );
}
