import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { useFailureToast } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import { resendAlerte } from './alertes.queries.ts'

type ResendProps = { owner: Parameters<typeof resendAlerte>[0]; alerteId: string; uncertain: number }

/** Sends an alerte again to those of whom nobody knows whether they got it, after saying what that means. */
export function ResendToUncertain({ owner, alerteId, uncertain }: ResendProps) {
  const words = useTranslations('espace.alertes.resend')
  const showFailure = useFailureToast()
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const close = () => {
    setAsked(false)
    void client.invalidateQueries({ queryKey: ['alertes'] })
  }
  const resending = useSubmit({
    mutationFn: () => resendAlerte(owner, alerteId),
    onSuccess: ({ data }) => {
      close()
      showToast({ title: words('done', { count: data.count }) })
    },
    onError(error) {
      close()
      showFailure(words('notDone'), error)
    },
  })
  return (
    <>
      <Button small onPress={() => setAsked(true)}>
        {words('ask')}
      </Button>
      <Confirm
        title={words('title', { count: uncertain })}
        action={words('action')}
        isOpen={isAsked}
        isPending={resending.isPending}
        onClose={() => setAsked(false)}
        onConfirm={() => resending.submit()}
      >
        <p>{words('text')}</p>
      </Confirm>
    </>
  )
}
