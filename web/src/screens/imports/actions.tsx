import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '../../shell/drafts.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Row } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { deleteSource, runNow, type Source, updateSource, withdraw } from './queries.ts'

export function useSourceChange(mutationFn: () => Promise<unknown>, done: string) {
  const client = useQueryClient()
  return useSubmit({
    mutationFn,
    onSuccess: async () => {
      showToast({ title: done })
      await client.invalidateQueries({ queryKey: ['runs'] })
    },
  })
}

/** Offers the actions that are possible for a source now. Those that change much first say what they do. */
export function Actions({ source, onEdit }: { source: Source; onEdit: () => void }) {
  const words = useTranslations('imports')
  const [asking, setAsking] = useState<'withdraw' | 'delete' | null>(null)
  const running = useSourceChange(() => runNow(source), words('runAsked'))
  const pausing = useSourceChange(() => updateSource(source, { actif: false }), words('paused'))
  const failed = [running, pausing].find(({ isError }) => isError)
  const { can, actif } = source
  return (
    <>
      <Row>
        {can.includes('run') && (
          <Button
            look="primary"
            icon="refresh"
            isPending={running.isPending}
            onPress={() => running.submit()}
          >
            {words('runNow')}
          </Button>
        )}
        {can.includes('edit') && (
          <Button icon="edit" onPress={onEdit}>
            {words('edit')}
          </Button>
        )}
        {can.includes('edit') && actif && (
          <Button icon="clock" isPending={pausing.isPending} onPress={() => pausing.submit()}>
            {words('pause')}
          </Button>
        )}
        {can.includes('withdraw') && (
          <Button onPress={() => setAsking('withdraw')}>{words('withdraw.action')}</Button>
        )}
        {can.includes('delete') && (
          <Button onPress={() => setAsking('delete')}>{words('delete.action')}</Button>
        )}
      </Row>
      {failed && <ShownFailure error={failed.error} />}
      {asking === 'withdraw' && <Withdraw source={source} onClose={() => setAsking(null)} />}
      {asking === 'delete' && <Delete source={source} onClose={() => setAsking(null)} />}
    </>
  )
}

type ActionProps = { source: Source; onClose: () => void }

function Withdraw({ source, onClose }: ActionProps) {
  const words = useTranslations('imports.withdraw')
  const client = useQueryClient()
  const [reason, setReason, clear] = useDraft(`import.withdraw.${source.id}`)
  const withdrawing = useSubmit({
    mutationFn: () => withdraw(source, reason.trim()),
    onSuccess: async (count) => {
      showToast({ title: words('done', { count }) })
      clear()
      onClose()
      await client.invalidateQueries({ queryKey: ['runs'] })
    },
  })
  return (
    <Confirm
      title={words('title')}
      action={words('action')}
      isOpen
      isPending={withdrawing.isPending}
      onClose={onClose}
      onConfirm={() => withdrawing.submit()}
    >
      <p>{words('text')}</p>
      <TextField label={words('reason')} rows={2} maxLength={1_000} value={reason} onChange={setReason} />
      {withdrawing.isError && <ShownFailure error={withdrawing.error} />}
    </Confirm>
  )
}

function Delete({ source, onClose }: ActionProps) {
  const words = useTranslations('imports.delete')
  const client = useQueryClient()
  const navigate = useNavigate()
  const deleting = useSubmit({
    mutationFn: () => deleteSource(source),
    onSuccess: async () => {
      showToast({ title: words('done') })
      onClose()
      await navigate({ to: '/imports' })
      await client.invalidateQueries({ queryKey: ['runs'] })
    },
  })
  return (
    <Confirm
      title={words('title', { nom: source.nom })}
      action={words('action')}
      isOpen
      isPending={deleting.isPending}
      onClose={onClose}
      onConfirm={() => deleting.submit()}
    >
      <p>{words('text')}</p>
      {deleting.isError && <ShownFailure error={deleting.error} />}
    </Confirm>
  )
}
