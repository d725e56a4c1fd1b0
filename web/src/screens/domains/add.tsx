import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ApiFailure, messageFor, wasSentBefore } from '../../api/failure.ts'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useFirstWrong } from '../../ui/use-first-wrong.ts'
import styles from './domains.module.css'
import { type ChosenHome, HomeFields, idOf, isOfHome } from './home.tsx'
import { createDomain, domainQuery } from './queries.ts'

type Typed = { host: string } & ChosenHome
const empty: Typed = { host: '', kind: 'commune', home: null }
const formId = 'new-domain'

/** Returns the host name in what was typed, which may be an address; with accents in the form of the DNS. */
const hostOf = (typed: string) =>
  URL.parse(/^https?:/i.test(typed.trim()) ? typed.trim() : `http://${typed.trim()}`)?.hostname ??
  typed.trim()

type AddProps = { onClose: () => void; onAdded: (id: string) => void }

/** Form of a new domain. Its page says how to prove it. */
export function AddDomain({ onClose, onAdded }: AddProps) {
  const words = useTranslations('domains')
  const client = useQueryClient()
  const draft = usePartDraft<Typed>('domain.new', empty)
  const { mine, key, put } = draft
  const { submit, isPending, error } = useSubmit({
    mutationFn: () => createDomain(key, { host: hostOf(mine.host), ...idOf(mine) }),
    onError: (failure) => {
      if (wasSentBefore(failure)) draft.renewKey()
    },
    onSuccess: (domain) => {
      draft.clear()
      client.setQueryData(domainQuery(domain.id).queryKey, domain)
      void client.invalidateQueries({ queryKey: ['domains', 'list'] })
      showToast({ title: words('new.added', { host: domain.host }) })
      onAdded(domain.id)
    },
  })
  const form = useFirstWrong(error)
  const isKnown = error instanceof ApiFailure && error.code === 'conflict'
  const wrongHost = isKnown ? words('new.known') : messageFor(error, 'host')
  const wrongHome = messageFor(error, isOfHome)
  return (
    <Dialog
      title={words('new.title')}
      isOpen
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form={formId} isPending={isPending}>
          {words('new.add')}
        </Button>
      }
    >
      <Form ref={form} id={formId} isSaving={isPending} className={styles.form} onSubmit={() => submit()}>
        {error !== null && wrongHost === null && wrongHome === null && <ShownFailure error={error} />}
        <TextField
          label={words('host')}
          help={words('hostHelp')}
          isRequired
          value={mine.host}
          onChange={(host) => put({ host })}
          error={wrongHost}
        />
        <HomeFields chosen={mine} onChoose={put} error={wrongHome} />
      </Form>
    </Dialog>
  )
}
