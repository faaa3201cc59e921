import * as l10n from '@vscode/l10n';
import type { FormField } from '../base/formField';
import { fieldHint } from './fieldHint';
import { Icon } from './icon';

/** The ids by which a control, its words and its problem belong together. */
export interface FieldParts {
  readonly id: string;
  readonly labelId: string;
  readonly hint: string | undefined;
  readonly problem: string | undefined;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
}

export function fieldParts(id: string, field: FormField, problem: string | undefined): FieldParts {
  const hint = fieldHint(field);
  const ids = [
    field.description !== undefined && `${id}-description`,
    hint !== undefined && `${id}-hint`,
    problem !== undefined && `${id}-problem`,
  ].filter((one) => one !== false);
  return {
    id,
    labelId: `${id}-label`,
    hint,
    problem,
    isWrong: problem !== undefined,
    describedBy: ids.length === 0 ? undefined : ids.join(' '),
  };
}

/** The name of a field, what it wants, and what it is for. */
export function FieldHead(props: {
  readonly field: FormField;
  readonly parts: FieldParts;
  /** Whether there is one control that it names. */
  readonly isLabel?: boolean;
}) {
  const { field, parts } = props;
  return (
    <>
      <div class="field-head">
        {props.isLabel === true ? (
          <label class="field-label" id={parts.labelId} for={parts.id} dir="auto">
            {field.label}
          </label>
        ) : (
          <span class="field-label" id={parts.labelId} dir="auto">
            {field.label}
          </span>
        )}
        {parts.hint !== undefined && (
          <span class="field-hint" id={`${parts.id}-hint`}>
            {parts.hint}
          </span>
        )}
      </div>
      {field.description !== undefined && (
        <p class="field-description" id={`${parts.id}-description`} dir="auto">
          {field.description}
        </p>
      )}
    </>
  );
}

export function ProblemLine({ parts }: { readonly parts: FieldParts }) {
  if (parts.problem === undefined) return null;
  return (
    <p class="field-problem" id={`${parts.id}-problem`}>
      <Icon name="error" />
      <span>
        <span class="sr-only">{l10n.t('Problem:')} </span>
        {parts.problem}
      </span>
    </p>
  );
}
