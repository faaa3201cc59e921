import type { Logger } from '../base/logger';
import type { UserChangesPort } from '../conversation/conversationPorts';
import { describeUserChanges, type UserChangesDeps } from '../editor/userChangesTool';
import { currentSetting } from './hostFields';
import { settings } from './settings';

/** What goes before a message where the person has switched that on. */
export function createUserChangesPort(deps: UserChangesDeps, log: Logger): UserChangesPort {
  return {
    isWanted: () => currentSetting(settings.attachUserChanges, log),
    describe: async (since) => {
      try {
        const { text, told } = await describeUserChanges(deps, since);
        return told.length === 0 ? undefined : text;
      } catch (error) {
        // The message itself matters more.
        log.error('Your edits could not be added to the message', error);
        return undefined;
      }
    },
  };
}
