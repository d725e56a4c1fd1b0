import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { subjects } from '../../../../../src/modules/acts/subjects.ts'
import { messageFor } from '../../../api/failure.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { ScreenLink } from '../../../shell/records/links.tsx'
import { PublicSiteLink } from '../../../shell/records/public-site.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { asFrenchWrites, noonOf } from '../../../ui/moment.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Facts } from '../../../ui/page.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useActeur } from '../acteur.ts'
import { mayPublishActs } from '../rights.ts'
import styles from './acts.module.css'
import { actQuery, archiveAct, occultAct, type ReadAct, refreshActs } from './queries.ts'

const maxReason = 500

/** An act that cannot be changed: what was published, its proof, and what may still be done with it. */
export function PublishedAct({ act }: { act: ReadAct }) {
  const words = useTranslations('espace.acts')
  const acteur = useActeur()
  const [asking, setAsking] = useState<'archive' | 'occult' | null>(null)
  const { acteur_id: acteurId, id, state, can } = act
  return (
    <>
      {state === 'occulted' && (
        <Notice tone="warn" title={words('occultedTitle')}>
          <p>{act.occulted_reason}</p>
        </Notice>
      )}
      <ActFacts act={act} />
      {state !== 'draft' && (
        <Row>
          <PublicSiteLink kind="actes" slug={id} />
          <ButtonLink small icon="shield" href={`/actes/${id}/preuve.zip`} download>
            {words('proof')}
          </ButtonLink>
        </Row>
      )}
      {state === 'published' && <Soft>{words('inForce')}</Soft>}
      <Row>
        {state === 'published' && mayPublishActs(acteur) && (
          <ScreenLink
            icon="copies"
            to="/espace/$acteurId/actes"
            params={{ acteurId }}
            search={{ corrects: id }}
          >
            {words('correct')}
          </ScreenLink>
        )}
        {can.includes('archive') && <Button onPress={() => setAsking('archive')}>{words('archive')}</Button>}
        {can.includes('occult') && (
          <Button look="quiet" onPress={() => setAsking('occult')}>
            {words('occult')}
          </Button>
        )}
      </Row>
      <Archive act={act} isOpen={asking === 'archive'} onClose={() => setAsking(null)} />
      <Dialog title={words('occultTitle')} isOpen={asking === 'occult'} onClose={() => setAsking(null)}>
        {asking === 'occult' && <Occult act={act} onClose={() => setAsking(null)} />}
      </Dialog>
    </>
  )
}

function ActFacts({ act }: { act: ReadAct }) {
  const words = useTranslations('espace.acts')
  const format = useFormatter()
  const other = (id: string) => (
    <Link to="/espace/$acteurId/actes/$id" params={{ acteurId: act.acteur_id, id }}>
      {words('openOther')}
    </Link>
  )
  const author = [act.author_first_name, act.author_name].filter(Boolean).join(' ')
  const moment = (at: string) =>
    asFrenchWrites(format.dateTime(new Date(at), { dateStyle: 'long', timeStyle: 'short' }))
  const facts: (readonly [string, ReactNode])[] = [
    [words('kind'), words(`kinds.${act.kind}`)],
    ...(act.number === null ? [] : [[words('number'), act.number] as const]),
    [words('date'), asFrenchWrites(format.dateTime(noonOf(act.date), { dateStyle: 'long' }))],
    ...(author === ''
      ? []
      : [[words('author'), [author, act.author_quality].filter(Boolean).join(', ')] as const]),
    ...(act.subject === null ? [] : [[words('subject'), subjects[act.subject]] as const]),
    ...(act.individual ? [[words('individual'), words('yes')] as const] : []),
    ...(act.published_at === null ? [] : [[words('publishedAt'), moment(act.published_at)] as const]),
    ...(act.supersedes === null ? [] : [[words('corrected'), other(act.supersedes)] as const]),
    ...(act.superseded_by === null ? [] : [[words('correctedBy'), other(act.superseded_by)] as const]),
    ...(act.seal === null
      ? []
      : [
          [
            words('seal', { number: act.seal.number }),
            <span key="seal" className={styles.digest}>
              {act.seal.seal}
            </span>,
          ] as const,
        ]),
  ]
  return <Facts facts={facts} />
}

type ArchiveProps = { act: ReadAct; isOpen: boolean; onClose: () => void }

function Archive({ act, isOpen, onClose }: ArchiveProps) {
  const words = useTranslations('espace.acts')
  const client = useQueryClient()
  const archiving = useSubmit({
    mutationFn: () => archiveAct(act),
    onSuccess: (archived) => {
      onClose()
      client.setQueryData(actQuery(act.acteur_id, act.id).queryKey, {
        ...archived,
        proposal: null,
        text: act.text,
      })
      void refreshActs()
      showToast({ title: words('archived', { title: act.title }) })
    },
  })
  return (
    <Confirm
      title={words('archiveTitle', { title: act.title })}
      action={words('archive')}
      look="primary"
      isOpen={isOpen}
      isPending={archiving.isPending}
      onClose={onClose}
      onConfirm={() => archiving.submit()}
    >
      <p>{words('archiveText')}</p>
      {archiving.isError && <ShownFailure error={archiving.error} />}
    </Confirm>
  )
}

function Occult({ act, onClose }: { act: ReadAct; onClose: () => void }) {
  const words = useTranslations('espace.acts')
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const occulting = useSubmit({
    mutationFn: () => occultAct(act, reason.trim()),
    onSuccess: (occulted) => {
      onClose()
      client.setQueryData(actQuery(act.acteur_id, act.id).queryKey, {
        ...occulted,
        proposal: null,
        text: act.text,
      })
      void refreshActs()
      showToast({ title: words('occulted', { title: act.title }) })
    },
  })
  const wrong = messageFor(occulting.error, 'reason')
  return (
    <Form isSaving={occulting.isPending} onSubmit={() => occulting.submit()}>
      <p>{words('occultText')}</p>
      <TextField
        label={words('reason')}
        help={words('reasonHelp')}
        isRequired
        autoFocus
        rows={3}
        maxLength={maxReason}
        value={reason}
        onChange={setReason}
        error={wrong}
      />
      {occulting.isError && wrong === null && <ShownFailure error={occulting.error} />}
      <Row>
        <Button look="danger" type="submit" isPending={occulting.isPending}>
          {words('occult')}
        </Button>
      </Row>
    </Form>
  )
}
