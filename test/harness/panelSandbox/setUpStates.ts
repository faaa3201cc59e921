import { turnFaultError } from '../../../src/chat/turnFaults';
import type { SetUp } from '../../../src/chat/setUpProtocol';
import type { ViewState } from '../../../src/chat/viewStateProtocol';
import { emptyState, errorState } from './states';

export const noCli: SetUp = {
  lacks: 'cli',
  message: 'The claude CLI was not found on the PATH.',
  next: 'Install the CLI, or name its file in the setting patchbay.cli.path.',
  details:
    'Looked at, in this order:\nPATH: /usr/local/bin: not there\nlogin shell: it told no PATH',
};

export const noLogin: SetUp = {
  lacks: 'login',
  message: 'You are not logged in to Claude.',
  next: 'Log in opens a terminal with the login of the CLI; it is noticed when that is done.',
};

/** As a new conversation shows it. */
export function setUpState(setUp: SetUp, over: Partial<ViewState> = {}): ViewState {
  return { ...emptyState(), setUp, ...over };
}

/** A turn that failed since nothing of the API could be reached. */
export function offlineState(): ViewState {
  const failure = { error: 'unknown', status: undefined, reason: 'api_error', refused: false };
  const details = 'API Error: Unable to connect to API (ConnectionRefused)';
  const state = errorState();
  return {
    ...state,
    items: [
      ...state.items.slice(0, 1),
      { kind: 'error', id: 'e1', ...turnFaultError({ ...failure, details }) },
    ],
  };
}

/** A new conversation in a window with two folders. */
export function foldersState(): ViewState {
  const folders = ['shop', 'docs'].map((name) => ({ name, path: `/home/me/${name}` }));
  return { ...emptyState(), folders: { folders } };
}
