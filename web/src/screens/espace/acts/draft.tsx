import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure, messageFor } from '../../../api/failure.ts'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { saveNewest } from '../../../shell/editing/save.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { dayInParis } from '../../../ui/moment.ts'
import { showToast } from '../../../ui/toast.tsx'
import { useFirstWrong } from '../../../ui/use-first-wrong.ts'
import styles from './acts.module.css'
import { ActFailure } from './failure.tsx'
import { ActFields, changesOf, proposedOf, type Typed, typedOf, useActLines } from './fields.tsx'
import {
  actQuery,
  correctableQuery,
  deleteAct,
  publishAct,
  type ReadAct,
  refreshActs,
  updateAct,
} from './queries.ts'

/** The form of a draft, which starts from what the text of the PDF says, and its publication for good. */
export function ActDraft({ act }: { act: ReadAct }) {
  const words = useTranslations('espace.acts')
  const linesOf = useActLines()
  const client = useQueryClient()
  const query = actQuery(act.acteur_id, act.id)
  const draft = usePartDraft<Typed>(`act.${act.id}`, typedOf(act))
  const { mine, put } = draft
  const [asking, setAsking] = useState<'publish' | 'delete' | null>(null)
  const correctable = useQuery(correctableQuery(act.acteur_id))
  /** Saves what was typed. Returns the draft in its newest version. */
  const save = () =>
    saveNewest(client, query, async (now) => {
      draft.requireBase(typedOf(now))
      const changes = changesOf(mine, now)
      if (Object.keys(changes).length === 0) return now
      const saved = {
        ...(await updateAct(now, changes)),
        ...{ proposal: now.proposal, text: mine.text === '' ? null : mine.text },
      }
      client.setQueryData(query.queryKey, saved)
      draft.clear()
      return saved
    })
  const saving = useSubmit({
    mutationFn: save,
    onSuccess: () => {
      void refreshActs()
      showToast({ title: words('saved') })
    },
  })
  const publishing = useSubmit({
    mutationFn: async () => publishAct(await save()),
    onSuccess: (published) => {
      client.setQueryData(query.queryKey, { ...published, proposal: null, text: mine.text || null })
      void refreshActs()
      showToast({ title: words('published', { title: published.title }) })
    },
    onSettled: () => setAsking(null),
  })
  const error = publishing.error ?? saving.error
  const form = useFirstWrong(error)
  const isPending = saving.isPending || publishing.isPending
  const reset = () => {
    saving.reset()
    publishing.reset()
  }
  const corrected = correctable.data?.find(({ id }) => id === mine.supersedes)
  return (
    <>
      <Form
        ref={form}
        isSaving={isPending}
        className={styles.form}
        onSubmit={() => {
          if (draft.isBehind) return
          reset()
          setAsking('publish')
        }}
      >
        {!isPending && <DraftConflict draft={draft} linesOf={linesOf} />}
        <Proposal act={act} typed={mine} onTake={() => put(proposedOf(act.proposal))} />
        <ActFields
          typed={mine}
          onChange={put}
          correctable={(correctable.data ?? []).filter(({ id }) => id !== act.id)}
          isDateOfToday={isUnsaid(act) && mine.date === act.date}
          isScan={act.text !== null || act.warnings.includes('no_text')}
          wrong={(field) => messageFor(error, field)}
        />
        {error !== null && !isOfFields(error) && <ActFailure acteurId={act.acteur_id} error={error} />}
        <div className={styles.send}>
          <Button look="primary" type="submit" icon="hall" isPending={publishing.isPending}>
            {words('publish')}
          </Button>
          {draft.isChanged && (
            <Button
              isPending={saving.isPending}
              isDisabled={draft.isBehind}
              onPress={() => {
                reset()
                saving.submit()
              }}
            >
              {words('save')}
            </Button>
          )}
          <Button look="quiet" onPress={() => setAsking('delete')}>
            {words('delete')}
          </Button>
        </div>
      </Form>
      <Confirm
        title={words('publishTitle', { title: mine.title })}
        action={words('publishAction')}
        look="primary"
        isOpen={asking === 'publish'}
        isPending={publishing.isPending}
        onClose={() => setAsking(null)}
        onConfirm={() => publishing.submit()}
      >
        <p>{words('publishText')}</p>
        {mine.individual && <p>{words('publishIndividual')}</p>}
        {corrected && <p>{words('publishCorrects', { title: corrected.title })}</p>}
      </Confirm>
      <DeleteDraft
        act={act}
        isOpen={asking === 'delete'}
        onClose={() => setAsking(null)}
        onGone={draft.clear}
      />
    </>
  )
}

/** Whether the form shows the refusal beside a field. */
const isOfFields = (error: unknown) =>
  error instanceof ApiFailure && error.details.some(({ field }) => field !== 'supersedes')

/** Whether the text says no date: the draft has the day on which it was made. */
const isUnsaid = ({ proposal, date, created_at }: ReadAct) =>
  proposal !== null && proposal.date === null && date === dayInParis(new Date(created_at))

type ProposalProps = { act: ReadAct; typed: Typed; onTake: () => void }

/** Says that the form starts from the text of the PDF; offers what it says where the form has something else. */
function Proposal({ act: { proposal }, typed, onTake }: ProposalProps) {
  const words = useTranslations('espace.acts')
  const said = Object.entries(proposedOf(proposal))
  if (said.length === 0) return <Soft>{words('nothingProposed')}</Soft>
  if (said.every(([name, value]) => typed[name as keyof Typed] === value))
    return <Soft role="status">{words('proposed')}</Soft>
  return (
    <div>
      <Button small icon="document" onPress={onTake}>
        {words('takeProposal')}
      </Button>
    </div>
  )
}

type DeleteProps = { act: ReadAct; isOpen: boolean; onClose: () => void; onGone: () => void }

function DeleteDraft({ act, isOpen, onClose, onGone }: DeleteProps) {
  const words = useTranslations('espace.acts')
  const navigate = useNavigate()
  const deleting = useSubmit({
    mutationFn: () => deleteAct(act),
    onSuccess: async () => {
      onGone()
      showToast({ title: words('deleted', { title: act.title }) })
      // Only then are acts read again: this one is gone.
      await navigate({ to: '/espace/$acteurId/actes', params: { acteurId: act.acteur_id } })
      void refreshActs()
    },
  })
  return (
    <Confirm
      title={words('deleteTitle', { title: act.title })}
      action={words('delete')}
      isOpen={isOpen}
      isPending={deleting.isPending}
      onClose={onClose}
      onConfirm={() => deleting.submit()}
    >
      <p>{words('deleteText')}</p>
      {deleting.isError && <ShownFailure error={deleting.error} />}
    </Confirm>
  )
}
