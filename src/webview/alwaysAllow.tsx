import * as l10n from '@vscode/l10n';
import { type ComponentChildren, Fragment } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LastingAnswer, LastingOffer, LastingPlace } from '../chat/viewStateProtocol';
import { allowCounts } from './allowGuard';
import { Icon } from './icon';
import { takePickerKey } from './pickerKeys';
import { usePopup } from './usePopup';

const ICONS: Readonly<Record<LastingAnswer, string>> = {
  alwaysLocal: 'account',
  alwaysProject: 'organization',
  alwaysUser: 'globe',
};

interface AlwaysProps {
  readonly offer: LastingOffer;
  readonly onChoose: (answer: LastingAnswer) => void;
}

/** Opens, inside the card, where a rule can be written down. Nothing is granted before a place is chosen. */
export function AlwaysAllow(props: AlwaysProps) {
  const popup = usePopup();
  const { setOpen } = popup;
  return (
    <div class="always" ref={popup.root}>
      <button
        ref={popup.button}
        type="button"
        class="button secondary"
        aria-haspopup="listbox"
        aria-expanded={popup.open}
        onClick={() => setOpen(!popup.open)}
      >
        {l10n.t('Always allow…')}
        <Icon name="chevron-down" class="picker-chevron" />
      </button>
      {popup.open && <PlaceList {...props} close={popup.close} />}
    </div>
  );
}

function PlaceList(props: AlwaysProps & { readonly close: (refocus: boolean) => void }) {
  const { offer, onChoose, close } = props;
  const { places, rule, note } = offer;
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const openedAt = useRef(0);
  const [active, setActive] = useState(0);
  useLayoutEffect(() => {
    openedAt.current = performance.now();
    list.current?.focus();
  }, []);
  const choose = (index: number, byKey: boolean) => {
    const place = places[index];
    // The key that has opened the list, held down, must not choose in it.
    const press = { byKey, now: performance.now(), focusedAt: openedAt.current };
    if (!place || !allowCounts(press)) return;
    onChoose(place.answer);
    close(true);
  };
  const options = places.map(({ answer, label }) => ({ id: answer, label }));
  const onKeyDown = (event: KeyboardEvent) =>
    takePickerKey(event, options, active, {
      move: setActive,
      choose: (index) => {
        if (!event.repeat) choose(index, true);
      },
      close: () => close(true),
    });
  return (
    <div class="always-box">
      <p class="card-why" id={`${base}-rule`} dir="auto">
        {l10n.t('Adds the rule')} <code>{rule}</code>
        {note !== undefined && <> {note}</>}
      </p>
      <div
        ref={list}
        role="listbox"
        class="always-list"
        tabIndex={-1}
        aria-label={l10n.t('Always allow')}
        aria-describedby={`${base}-rule`}
        aria-activedescendant={`${base}-${active}`}
        onKeyDown={onKeyDown}
      >
        {places.map((place, index) => (
          <PlaceRow
            key={place.answer}
            id={`${base}-${index}`}
            place={place}
            active={index === active}
            onPoint={() => setActive(index)}
            onChoose={(byKey) => choose(index, byKey)}
          />
        ))}
      </div>
    </div>
  );
}

function PlaceRow(props: {
  readonly id: string;
  readonly place: LastingPlace;
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onChoose: (byKey: boolean) => void;
}) {
  const { place, active } = props;
  return (
    <div
      id={props.id}
      role="option"
      class={`option ${active ? 'option-active' : ''}`}
      aria-selected={active}
      onPointerMove={props.onPoint}
      onClick={(event) => props.onChoose(event.detail === 0)}
    >
      <Icon name={ICONS[place.answer]} class="option-check" />
      <span class="option-label">{place.label}</span>
      <span class="option-detail always-file">{breakable(place.file)}</span>
      {place.note !== undefined && <span class="option-detail">{place.note}</span>}
    </div>
  );
}

/** A long path goes on in the next line behind a slash, rather than within a name. */
function breakable(file: string): ComponentChildren {
  return file.split(/(?<=[\\/])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
