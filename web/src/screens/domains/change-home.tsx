import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Soft } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useFirstWrong } from '../../ui/use-first-wrong.ts'
import styles from './domains.module.css'
import { type ChosenHome, HomeFields, idOf, isOfHome } from './home.tsx'
import { changeDomain, type Domain, domainQuery } from './queries.ts'

const formId = 'home-of-domain'

/** Form of what a domain shows as its home. Its proof stays. */
export function ChangeHome({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const words = useTranslations('domains')
  const client = useQueryClient()
  const { host, commune, group } = domain
  const [chosen, setChosen] = useState<ChosenHome>({
    kind: group === null ? 'commune' : 'group',
    home: commune ?? group,
  })
  const { submit, isPending, error } = useSubmit({
    mutationFn: () => changeDomain(domain, idOf(chosen)),
    onSuccess: (changed) => {
      client.setQueryData(domainQuery(changed.id).queryKey, changed)
      void client.invalidateQueries({ queryKey: ['domains', 'list'] })
      showToast({ title: words('homeChanged', { host, nom: (changed.commune ?? changed.group)?.nom ?? '' }) })
      onClose()
    },
  })
  const form = useFirstWrong(error)
  const wrongHome = messageFor(error, isOfHome)
  return (
    <Dialog
      title={words('homeTitle', { host })}
      isOpen
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form={formId} isPending={isPending}>
          {words('saveHome')}
        </Button>
      }
    >
      <Form ref={form} id={formId} isSaving={isPending} className={styles.form} onSubmit={() => submit()}>
        {error !== null && wrongHome === null && <ShownFailure error={error} />}
        <Soft>{words('homeNote')}</Soft>
        <HomeFields
          chosen={chosen}
          onChoose={(part) => setChosen({ ...chosen, ...part })}
          error={wrongHome}
        />
      </Form>
    </Dialog>
  )
}
