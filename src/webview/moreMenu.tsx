import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MenuCommand } from '../chat/menuProtocol';
import { Icon } from './icon';
import { menuStep } from './menuKeys';
import { type Panel, usePanel } from './panelContext';
import { usePopup } from './usePopup';
import { collapseAll } from './useReading';

interface MenuRow {
  readonly label: string;
  readonly act: () => void;
  /** Of one that is on or off. */
  readonly isOn?: boolean;
  /** A line is drawn above it. */
  readonly begins?: boolean;
}

/** The button at the end of the header, and under it the menu of all that has no button of its own. */
export function MoreMenu() {
  const popup = usePopup();
  const [first, setFirst] = useState<'first' | 'last'>('first');
  const show = (at: 'first' | 'last') => {
    setFirst(at);
    popup.setOpen(true);
  };
  return (
    <div class="more" ref={popup.root}>
      <button
        ref={popup.button}
        type="button"
        class="icon-button"
        aria-label={l10n.t('More actions')}
        title={l10n.t('More actions')}
        aria-haspopup="menu"
        aria-expanded={popup.open}
        onClick={() => (popup.open ? popup.setOpen(false) : show('first'))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          show(event.key === 'ArrowUp' ? 'last' : 'first');
        }}
      >
        <Icon name="ellipsis" />
      </button>
      {popup.open && <Menu begin={first} close={popup.close} />}
    </div>
  );
}

function Menu(props: {
  readonly begin: 'first' | 'last';
  readonly close: (refocus: boolean) => void;
}) {
  const panel = usePanel();
  panel.store.watch('fields');
  const rows = rowsOf(panel);
  const [active, setActive] = useState(props.begin === 'first' ? 0 : rows.length - 1);
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    menu.current?.querySelectorAll<HTMLElement>('.menu-item')[active]?.focus();
  }, [active]);
  const onKeyDown = (event: KeyboardEvent) => {
    const labels = rows.map(({ label }) => label);
    const step = menuStep(event, labels, active);
    if (!step) return;
    // Escape must not also stop the turn; Tab goes on from the button.
    if (step.kind !== 'leave') event.preventDefault();
    event.stopPropagation();
    if (step.kind === 'move') setActive(step.index);
    else props.close(true);
  };
  return (
    <div
      ref={menu}
      role="menu"
      class="popup more-menu"
      aria-label={l10n.t('More actions')}
      onKeyDown={onKeyDown}
    >
      {rows.map((row, index) => (
        <button
          key={row.label}
          type="button"
          role={row.isOn === undefined ? 'menuitem' : 'menuitemcheckbox'}
          aria-checked={row.isOn}
          class={`menu-item ${row.begins === true ? 'menu-begins' : ''}`}
          tabIndex={index === active ? 0 : -1}
          onPointerMove={() => setActive(index)}
          onClick={() => {
            props.close(true);
            row.act();
          }}
        >
          <Icon name="check" class={row.isOn === true ? 'menu-check' : 'menu-check hidden'} />
          <span>{row.label}</span>
        </button>
      ))}
    </div>
  );
}

function rowsOf(panel: Panel): readonly MenuRow[] {
  const { post, find, store } = panel;
  const command = (name: MenuCommand) => () => post({ type: 'menu', command: name });
  return [
    { label: l10n.t('Find in conversation'), act: () => find.open() },
    { label: l10n.t('Collapse all'), act: () => collapseAll(panel) },
    {
      label: l10n.t('Focus view'),
      isOn: store.current.focusView === true,
      act: command('toggleFocusView'),
    },
    { label: l10n.t('Export conversation…'), act: command('exportConversation') },
    { label: l10n.t('New conversation in an editor tab'), act: command('openInEditor') },
    { label: l10n.t('MCP servers'), act: command('mcpServers'), begins: true },
    { label: l10n.t('Tools'), act: command('showTools') },
    { label: l10n.t('What would happen?'), act: command('whatWouldHappen') },
    { label: l10n.t('Show wire inspector'), act: command('showWireInspector') },
    { label: l10n.t('Run doctor'), act: () => post({ type: 'doctor' }), begins: true },
    { label: l10n.t('Show log'), act: () => post({ type: 'showLog' }) },
    { label: l10n.t('Open settings'), act: () => post({ type: 'openSettings' }) },
    { label: l10n.t('All commands…'), act: () => post({ type: 'moreActions' }) },
  ];
}
