import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import type { SetUp } from '../chat/setUpProtocol';
import { Details } from './errorAlert';
import { Icon } from './icon';
import { usePanel } from './panelContext';

/** What is missing before anything can be asked, and what to do about it. It goes by itself. */
export function SetUpRegion() {
  const { store, announcer } = usePanel();
  store.watch('fields');
  const { setUp } = store.current;
  const spoken = setUp && spokenWords(setUp);
  useEffect(() => {
    if (spoken !== undefined) announcer.say(spoken);
    // Each look that finds nothing new is said, too.
  }, [spoken, setUp?.checks, announcer]);
  if (!setUp) return null;
  return (
    <section class="set-up" aria-label={l10n.t('Set up')}>
      <h2 class="set-up-title">{titleOf(setUp)}</h2>
      <p dir="auto">{setUp.message}</p>
      {setUp.next !== undefined && <p dir="auto">{setUp.next}</p>}
      <p class="set-up-state" aria-hidden="true">
        {stateWords(setUp)}
      </p>
      {setUp.details !== undefined && <Details text={setUp.details} />}
      <Buttons setUp={setUp} />
    </section>
  );
}

function Buttons({ setUp }: { readonly setUp: SetUp }) {
  const { post } = usePanel();
  const check = {
    name: l10n.t('Check again'),
    act: () => post({ type: 'checkSetUp' }),
  };
  const buttons =
    setUp.lacks === 'login'
      ? [{ name: l10n.t('Log in'), act: () => post({ type: 'login' }) }, check]
      : [
          check,
          { name: l10n.t('Choose the program…'), act: () => post({ type: 'chooseCli' }) },
          { name: l10n.t('Run doctor'), act: () => post({ type: 'doctor' }) },
        ];
  return (
    <div class="alert-buttons">
      {buttons.map(({ name, act }, index) => (
        <button
          key={name}
          type="button"
          class={`button ${index === 0 ? 'primary' : 'secondary'}`}
          onClick={act}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function titleOf({ lacks }: SetUp): string {
  return lacks === 'cli'
    ? l10n.t('The agent is a program of its own: the claude CLI')
    : l10n.t('One step is left: log in');
}

/** What is being done about it, or what the last look has found. */
function stateWords({ busy, checks = 0 }: SetUp) {
  if (busy === 'looking') return <Busy words={l10n.t('Looking…')} />;
  if (busy === 'loggingIn')
    return <Busy words={l10n.t('Waiting for the login in the terminal…')} />;
  return checks > 0 ? stillMissing() : undefined;
}

function Busy({ words }: { readonly words: string }) {
  return (
    <>
      <Icon name="loading" spin /> {words}
    </>
  );
}

function spokenWords(setUp: SetUp): string | undefined {
  const { message, busy, checks = 0 } = setUp;
  if (busy === 'looking') return undefined;
  if (busy === 'loggingIn') return l10n.t('Waiting for the login in the terminal…');
  return checks > 0 ? `${message} ${stillMissing()}` : message;
}

function stillMissing(): string {
  return l10n.t('Checked again: nothing has changed.');
}
