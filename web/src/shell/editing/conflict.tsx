import type { PressEvent } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Difference } from '../../ui/difference.tsx'
import { useIntoView } from '../../ui/into-view.ts'
import { Notice } from '../../ui/notice.tsx'
import styles from './conflict.module.css'
import type { PartDraft } from './part-draft.ts'

type DraftConflictProps<Value extends object> = {
  draft: PartDraft<Value>
  /** A label and a text for each field of a value. */
  linesOf: (value: Value) => readonly (readonly [label: string, text: string])[]
  /** Called after a choice, for what the form keeps besides the draft. */
  onChosen?: () => void
}

/** Shows the conflict of a draft that is behind: the fields that either side changed, and the possible choices. */
export function DraftConflict<Value extends object>({ draft, linesOf, onChosen }: DraftConflictProps<Value>) {
  const words = useTranslations('draft')
  if (!draft.isBehind) return null
  const [before, theirs, mine] = [draft.base, draft.stored, draft.kept].map((value) =>
    linesOf(value).map(([label, text]) => words('line', { label, text })),
  ) as [string[], string[], string[]]
  const changed = (lines: string[]) =>
    lines.filter((line) => ![before, theirs, mine].every((version) => version.includes(line))).join('\n')
  const choose = (choice: () => void) => () => {
    choice()
    onChosen?.()
  }
  return (
    <Conflict
      mine={changed(mine)}
      theirs={changed(theirs)}
      onKeepMine={choose(draft.keepMine)}
      onTakeTheirs={choose(draft.clear)}
    />
  )
}

type ConflictProps = {
  /** Both versions as text, a line for each item. */
  mine: string
  theirs: string
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Notice that a colleague changed the same record, with both versions and the possible choices. */
export function Conflict({ mine, theirs, onKeepMine, onTakeTheirs }: ConflictProps) {
  const words = useTranslations('draft.conflict')
  // It follows a press of a button that may be far below.
  const ref = useIntoView<HTMLDivElement>()
  const choose = (choice: () => void) => (event: PressEvent) => {
    // The pressed button disappears: without this, a dialog would focus its close button.
    event.target.closest('form')?.querySelector<HTMLElement>('input, textarea')?.focus()
    choice()
  }
  return (
    <Notice ref={ref} tone="warn" title={words('title')}>
      <div className={styles.versions}>
        <div>
          <strong>{words('theirs')}</strong>
          <Difference before={theirs} after={mine} side="before" />
        </div>
        <div>
          <strong>{words('mine')}</strong>
          <Difference before={theirs} after={mine} side="after" />
        </div>
      </div>
      <div className={styles.buttons}>
        <Button small onPress={choose(onKeepMine)}>
          {words('keepMine')}
        </Button>
        <Button small onPress={choose(onTakeTheirs)}>
          {words('takeTheirs')}
        </Button>
      </div>
    </Notice>
  )
}
