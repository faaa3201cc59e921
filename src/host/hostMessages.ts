import { assertNever } from '../base/assertNever';
import type { Logger } from '../base/logger';
import type { MenuCommand } from '../chat/menuProtocol';
import type { SentSelection } from '../chat/selectionProtocol';
import type { ConversationPlace } from './conversationPlace';
import { type MessageOf, messageTest } from './messageKinds';
import type { PlanActions } from './planDocuments';
import type { SetUpActions } from './setUpDesk';

/** What is selected in the editor. */
export interface SelectionPort {
  /** Undefined where what the view showed is not offered any more. */
  readonly take: (id: string, place: ConversationPlace) => SentSelection | undefined;
  /** Whether it goes with messages, from now on. */
  readonly turn: (isOn: boolean) => Promise<void>;
}

/** What a view may ask of the window, whatever its conversation does. */
export interface HostPorts {
  readonly log: Logger;
  readonly plans: PlanActions;
  readonly selections: SelectionPort;
  readonly setUp: SetUpActions;
  chooseFolder(place: ConversationPlace, path: string | undefined): Promise<void>;
  openLink(href: string, place: ConversationPlace): Promise<void>;
  copy(text: string): Promise<void>;
  insertCode(text: string): Promise<void>;
  openCode(text: string, language: string): Promise<void>;
  showDiff(place: ConversationPlace, cardId: string): Promise<void>;
  showRequest(place: ConversationPlace, cardId: string): Promise<void>;
  showLog(): void;
  openSettings(): Promise<void>;
  openFolder(): Promise<void>;
  doctor(): Promise<void>;
  moreActions(): Promise<void>;
  /** Runs a command of ours for the conversation of this place. */
  runCommand(name: MenuCommand, place: ConversationPlace): Promise<void>;
  answerApproval(id: string, answer: 'approve' | 'later' | 'never'): void;
  /** @param file of the card's files, by its place; all of them where absent */
  showApproval(id: string, file?: number): Promise<void>;
}

const PLAN = {
  planCard: true,
  removePlanComment: true,
  savePlan: true,
} as const;
const isOfPlan = messageTest(PLAN);

const FOR_HOST = {
  showLog: true,
  openSettings: true,
  login: true,
  checkSetUp: true,
  chooseCli: true,
  chooseFolder: true,
  openFolder: true,
  doctor: true,
  openLink: true,
  copy: true,
  insertCode: true,
  openCode: true,
  showDiff: true,
  showRequest: true,
  moreActions: true,
  menu: true,
  attachSelection: true,
  answerApproval: true,
  showApproval: true,
  viewError: true,
  ...PLAN,
} as const;

type HostMessages = MessageOf<typeof FOR_HOST>;
/** Messages that mean the host, not the conversation. */
export const isForHost = messageTest(FOR_HOST);

export async function handleForHost(
  message: HostMessages,
  place: ConversationPlace,
  ports: HostPorts,
): Promise<void> {
  if (isOfPlan(message)) return handlePlan(message, place, ports.plans);
  switch (message.type) {
    case 'showLog':
      ports.showLog();
      return;
    case 'openSettings':
      return ports.openSettings();
    case 'login':
      return ports.setUp.login();
    case 'checkSetUp':
      return ports.setUp.check();
    case 'chooseCli':
      return ports.setUp.chooseCli();
    case 'chooseFolder':
      return ports.chooseFolder(place, message.path);
    case 'openFolder':
      return ports.openFolder();
    case 'doctor':
      return ports.doctor();
    case 'openLink':
      return ports.openLink(message.href, place);
    case 'copy':
      return ports.copy(message.text);
    case 'insertCode':
      return ports.insertCode(message.text);
    case 'openCode':
      return ports.openCode(message.text, message.language);
    case 'showDiff':
      return ports.showDiff(place, message.cardId);
    case 'showRequest':
      return ports.showRequest(place, message.cardId);
    case 'moreActions':
      return ports.moreActions();
    case 'menu':
      return ports.runCommand(message.command, place);
    case 'attachSelection':
      return ports.selections.turn(message.isOn);
    case 'answerApproval':
      ports.answerApproval(message.approvalId, message.answer);
      return;
    case 'showApproval':
      return ports.showApproval(message.approvalId, message.file);
    case 'viewError':
      ports.log.error(`The chat view reports: ${message.message}`);
      return;
    default:
      assertNever(message, 'view message');
  }
}

async function handlePlan(
  message: MessageOf<typeof PLAN>,
  place: ConversationPlace,
  plans: PlanActions,
): Promise<void> {
  switch (message.type) {
    case 'planCard':
      return plans.act(place, message.cardId, message.action);
    case 'removePlanComment':
      plans.removeComment(place, message.cardId, message.commentId);
      return;
    case 'savePlan':
      return plans.saveDecided(place, message.toolUseId);
  }
}
