import { useState } from 'react'
import { useTranslations } from 'use-intl'
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
import { elusIn } from './pasted-elus.ts'
import { bodyOf, nameOf } from './rows.ts'

/** What a list does not say of an élu. */
const noMore = { photo_url: null, mandat_debut: null }

type PasteProps = { commune: EditedCommune; onClose: () => void }

/** Adds the élus of a pasted table or list, shown as they were read. Those that are listed already are left out. */
export function PasteElus({ commune, onClose }: PasteProps) {
  const words = useTranslations('communes')
  const saveCommune = useSaveCommune(commune.id)
  const [text, setText, clear] = useDraft(`commune.${commune.id}.elus.paste`)
  const [nomFirst, setNomFirst] = useState(false)
  const { elus, unread } = elusIn(text, nomFirst)
  const known = new Set(commune.elus.map((elu) => nameOf(elu).toLowerCase()))
  const added = elus.filter((elu) => !known.has(nameOf(elu).toLowerCase()))
  const saving = useSubmit({
    mutationFn: () =>
      saveCommune((now) => ({ elus: bodyOf([...now.elus, ...added.map((elu) => ({ ...elu, ...noMore }))]) })),
    onSuccess: () => {
      clear()
      showToast({ title: words('elus.pasted', { count: added.length }) })
      onClose()
    },
  })
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
        {unread.length > 0 && (
          <Notice tone="warn" title={words('elus.unread', { count: unread.length })}>
            <p>{unread.slice(0, 3).join(' · ')}</p>
          </Notice>
        )}
      </Form>
    </Dialog>
  )
}
