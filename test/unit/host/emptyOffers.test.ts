import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from './connectView';

test('an empty conversation that comes back to sight offers what the editor knows by now', () => {
  let notice = 'one problem';
  const { surface, place, conversation } = connect({ hostFields: () => ({ notice }) });
  const shown = (): string | undefined => conversation.snapshot().notice;
  const see = (visible: boolean): void => {
    surface.visible = visible;
    surface.visibility.fire(visible);
  };
  surface.received.fire({ type: 'ready' });
  see(false);
  notice = 'two problems';
  see(true);
  assert.equal(shown(), 'two problems');
  place.touch();
  see(false);
  notice = 'three problems';
  see(true);
  assert.equal(shown(), 'two problems');
});
