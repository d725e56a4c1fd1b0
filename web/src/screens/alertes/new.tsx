import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { communeChoices } from '../../shell/choices/choices.ts'
import { SearchCombo } from '../../shell/choices/search-combo.tsx'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { useMailPlace } from '../../shell/mail-place.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import type { Choice } from '../../ui/combo.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { momentOf } from '../../ui/moment-field.ts'
import { showToast } from '../../ui/toast.tsx'
import { AlerteFields } from './fields.tsx'
import { createAlerte } from './queries.ts'
import type { Niveau } from './search.ts'

type Typed = {
  commune: Choice | null
  titre: string
  message: string
  niveau: Niveau
  debut: string
  fin: string
}
const empty: Typed = { commune: null, titre: '', message: '', niveau: 'attention', debut: '', fin: '' }

/** Form by which an administrator alerts the residents of a commune. The draft stays until it is sent or discarded. */
export function NewAlerte({ onClose }: { onClose: () => void }) {
  const words = useTranslations('alertes')
  const ofDraft = useTranslations('draft')
  const client = useQueryClient()
  const { note } = useMailPlace()
  const { mine, key, put, clear, isChanged } = usePartDraft('alerte.new', empty)
  const { commune, titre, message, niveau, debut, fin } = mine
  const isComplete = commune !== null && titre.trim() !== '' && message.trim() !== ''
  const sending = useSubmit({
    mutationFn: (communeId: string) =>
      createAlerte(key, communeId, {
        titre: titre.trim(),
        message: message.trim(),
        niveau,
        debut: momentOf(debut)?.toISOString() ?? null,
        fin: momentOf(fin)?.toISOString() ?? null,
      }),
    onSuccess: async () => {
      showToast({ title: words('created', { commune: commune?.nom ?? '' }), ...(note && { detail: note }) })
      clear()
      onClose()
      await client.invalidateQueries({ queryKey: ['alertes'] })
    },
  })
  const wrong = (name: string) => messageFor(sending.error, name)
  const send = () => {
    if (isComplete) sending.submit(commune.id)
  }
  return (
    <Dialog
      wide
      title={words('new')}
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
            {isChanged ? ofDraft('discard') : words('cancel')}
          </Button>
          <Button
            look="primary"
            type="submit"
            form="alerte"
            isDisabled={!isComplete}
            isPending={sending.isPending}
          >
            {words('send')}
          </Button>
        </>
      }
    >
      <Form isSaving={sending.isPending} id="alerte" onSubmit={send}>
        {sending.error !== null && <ShownFailure error={sending.error} />}
        <SearchCombo<Choice>
          label={words('commune')}
          help={words('communeHelp')}
          isRequired
          search={communeChoices}
          chosen={commune}
          onChoose={(found) => put({ commune: found && { id: found.id, nom: found.nom } })}
        />
        <AlerteFields typed={mine} onChange={put} errorOf={wrong} />
      </Form>
    </Dialog>
  )
}
