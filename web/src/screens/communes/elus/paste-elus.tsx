import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '../../../api/failure.ts'
import { useDraft } from '../../../shell/drafts.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type EditedCommune, useSaveCommune } from '../editing.ts'
import styles from '../editor/editor.module.css'
import { elusIn, type PastedElu } from './pasted-elus.ts'
import { bodyOf, nameOf } from './rows.ts'

/** Fields that a pasted list has no columns for. */
const otherFields = { photo_url: null, photo: null, mandat_debut: null }

/** The élus that are not in the list yet, by name. */
function missingIn(listed: EditedCommune['elus'], elus: PastedElu[]): PastedElu[] {
  const known = new Set(listed.map((elu) => nameOf(elu).toLowerCase()))
  return elus.filter((elu) => !known.has(nameOf(elu).toLowerCase()))
}

type PasteProps = { commune: EditedCommune; onClose: () => void }

/** Adds the élus of a pasted table or list, shown as they were read. Those that are listed already are left out. */
export function PasteElus({ commune, onClose }: PasteProps) {
  const words = useTranslations('communes')
  const saveCommune = useSaveCommune(commune.id)
  const [text, setText, clear] = useDraft(`commune.${commune.id}.elus.paste`)
  const [nomFirst, setNomFirst] = useState(false)
  const { elus, unread } = elusIn(text, nomFirst)
  const added = missingIn(commune.elus, elus)
  const [sent, setSent] = useState<{ from: number; lines: string[] }>({ from: 0, lines: [] })
  const saving = useSubmit({
    mutationFn: async () => {
      let count = 0
      await saveCommune((now) => {
        // An earlier request may have been saved though its response was lost.
        const missing = missingIn(now.elus, elus)
        count = missing.length
        setSent({ from: now.elus.length, lines: missing.map(({ line }) => line) })
        const rows = missing.map(({ line: _, ...elu }) => ({ ...elu, ...otherFields }))
        return { elus: bodyOf([...now.elus, ...rows]) }
      })
      return count
    },
    onSuccess: (count) => {
      clear()
      showToast({ title: words('elus.pasted', { count }) })
      onClose()
    },
  })
  const refused = refusedLines(saving.error, sent)
  return (
    <Dialog
      title={words('elus.paste')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button
            onPress={() => {
              clear()
              onClose()
            }}
          >
            {words('cancel')}
          </Button>
          <Button
            look="primary"
            type="submit"
            form="elus-pasted"
            isDisabled={added.length === 0}
            isPending={saving.isPending}
          >
            {words('elus.pasteAdd', { count: added.length })}
          </Button>
        </>
      }
    >
      <Form isSaving={saving.isPending} id="elus-pasted" className={styles.form} onSubmit={saving.submit}>
        {saving.isError && <ShownFailure error={saving.error} />}
        {refused.length > 0 && (
          <Lines title={words('elus.refused', { count: refused.length })} lines={refused} />
        )}
        <TextField
          label={words('elus.pasteText')}
          help={words('elus.pasteHelp')}
          isRequired
          autoFocus
          rows={6}
          value={text}
          onChange={setText}
        />
        {elus.length > 0 && (
          <>
            <Checkbox isSelected={nomFirst} onChange={setNomFirst}>
              {words('elus.nomFirst')}
            </Checkbox>
            <ol aria-label={words('elus.read')}>
              {elus.map((elu, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two élus may have one name
                <li key={index}>
                  <strong>{nameOf(elu)}</strong>{' '}
                  <Soft as="span">{added.includes(elu) ? elu.fonction : words('elus.isListed')}</Soft>
                </li>
              ))}
            </ol>
          </>
        )}
        {unread.length > 0 && <Lines title={words('elus.unread', { count: unread.length })} lines={unread} />}
      </Form>
    </Dialog>
  )
}

/** The lines that the service refused, each with the reason. */
function refusedLines(error: unknown, { from, lines }: { from: number; lines: string[] }): string[] {
  if (!(error instanceof ApiFailure)) return []
  return error.details.flatMap(({ field, message }) => {
    const [list, index] = field.split('.')
    const line = list === 'elus' ? lines[Number(index) - from] : undefined
    return line === undefined ? [] : `${line} — ${message}`
  })
}

function Lines({ title, lines }: { title: string; lines: string[] }) {
  return (
    <Notice tone="warn" title={title}>
      <ul>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line may be there twice
          <li key={index}>{line}</li>
        ))}
      </ul>
    </Notice>
  )
}
