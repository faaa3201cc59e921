import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever';
import type {
  ResultTable,
  TodoPart,
  TodoState,
  ToolSubject,
  WebLink,
} from '../chat/toolPartsProtocol';
import { Icon } from './icon';

/** What the call is about, whole: the row has room for one line of it. */
export function SubjectLine({ subject }: { readonly subject: ToolSubject }) {
  const { kind, text, href, detail } = subject;
  return (
    <div class="subject">
      {kind === 'command' ? (
        <pre
          class="subject-command"
          tabIndex={0}
          dir="ltr"
          role="group"
          aria-label={l10n.t('Command')}
        >
          {text}
        </pre>
      ) : href === undefined ? (
        <code class="subject-text">{text}</code>
      ) : (
        <a class="subject-text place" href="#" data-href={href} dir="ltr">
          {text}
        </a>
      )}
      {detail !== undefined && (
        <span class="subject-detail" dir="auto">
          {detail}
        </span>
      )}
    </div>
  );
}

const TODO_ICONS: Readonly<Record<TodoState, string>> = {
  pending: 'circle-large',
  active: 'arrow-circle-right',
  done: 'pass-filled',
};

/** The agent's list; its states are words for those who do not see the signs. */
export function Checklist({ todos }: { readonly todos: TodoPart }) {
  return (
    <ul class="todos" aria-label={l10n.t('To-dos')}>
      {todos.entries.map(({ text, state }, index) => (
        <li key={index} class={`todo todo-${state}`}>
          <Icon name={TODO_ICONS[state]} />
          <span class="sr-only">{todoStateWord(state)}</span>
          <span dir="auto">{text}</span>
        </li>
      ))}
      {todos.more !== undefined && <li class="todo">{l10n.t('and {0} more', todos.more)}</li>}
    </ul>
  );
}

function todoStateWord(state: TodoState): string {
  switch (state) {
    case 'pending':
      return l10n.t('to do:');
    case 'active':
      return l10n.t('in progress:');
    case 'done':
      return l10n.t('done:');
    default:
      return assertNever(state, 'to-do state');
  }
}

/** What was found in the web: where a link leads stands beside its words. */
export function LinkList({ links }: { readonly links: readonly WebLink[] }) {
  return (
    <ul class="links" aria-label={l10n.t('Results')}>
      {links.map(({ title, url }, index) => (
        <li key={index}>
          <a href={url} data-href={url} title={url} dir="auto">
            {title}
          </a>
          <span class="found-host" dir="ltr">
            {hostOf(url)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

/** A list of alike records. It scrolls in its own box. */
export function TableView({ table }: { readonly table: ResultTable }) {
  return (
    <>
      <div class="md-table result-table" tabIndex={0} role="group" aria-label={l10n.t('Result')}>
        <table>
          <thead>
            <tr>
              {table.columns.map((column, index) => (
                <th key={index} scope="col" dir="auto">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, at) => (
                  <td key={at} dir="auto">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.moreRows !== undefined && (
        <p class="quiet-line">{l10n.t('and {0} more rows', table.moreRows)}</p>
      )}
    </>
  );
}
