import type { Announcement } from './announcer';
import { usePanel } from './panelContext';

/** The only places that speak on their own; the transcript itself is silent while it streams. */
export function LiveRegion() {
  const { announcer } = usePanel();
  return (
    <div class="sr-only">
      <div aria-live="polite" data-live="polite">
        <Lines list={announcer.polite.value} />
      </div>
      <div aria-live="assertive" data-live="assertive">
        <Lines list={announcer.assertive.value} />
      </div>
    </div>
  );
}

function Lines({ list }: { readonly list: readonly Announcement[] }) {
  return (
    <>
      {list.map((entry) => (
        <div key={entry.id}>{entry.text}</div>
      ))}
    </>
  );
}
