import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { SearchCombo } from '../../shell/choices/search-combo.tsx'
import { ReasonDialog } from '../../shell/deciding/reason-dialog.tsx'
import { MailNote, useMailPlace, withNote } from '../../shell/mail-place.tsx'
import { useShortcuts } from '../../shell/navigation/shortcuts.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { AnswersByMail } from '../../shell/records/answers-by-mail.tsx'
import { BackTo } from '../../shell/records/back-to.tsx'
import { Notes } from '../../shell/records/colleagues/notes.tsx'
import { Present } from '../../shell/records/colleagues/present.tsx'
import { RecordHistory } from '../../shell/records/record-history.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Choice } from '../../ui/combo.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Row } from '../../ui/layout.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './claims.module.css'
import { useClaimDecisions } from './decisions.ts'
import { Evidence } from './evidence.tsx'
import {
  claimantOf,
  claimQuery,
  claimsQuery,
  needsOwner,
  ownerChoices,
  type ReadClaim,
  tones,
} from './queries.ts'

const route = getRouteApi('/signed-in/claims/$id')
const signedIn = getRouteApi('/signed-in')

/** Claim with its evidence and its actions: decide, or ask the claimant first. */
export function ClaimScreen() {
  const words = useTranslations('claims')
  const common = useTranslations('queue')
  const note = useRef<HTMLTextAreaElement>(null)
  const { id } = route.useParams()
  const [asking, setAsking] = useState<'approval' | 'rejection' | 'question' | null>(null)
  const { data: claim, ...loaded } = useQuery(claimQuery(id))
  const decisions = useClaimDecisions()
  const waits = claim?.can.includes('edit') ?? false
  const { me } = signedIn.useRouteContext()
  const isForAdministrators = claim !== undefined && needsOwner(claim) && !me.areas.includes('users')
  const isReachable = claim?.can.includes('question') ?? false
  const next = useNextPending(id)
  const navigate = route.useNavigate()
  const goOn = () => next !== undefined && void navigate({ params: { id: next } })
  const ask = (what: typeof asking) => () => waits && setAsking(what)
  const askApproval = () => !isForAdministrators && ask('approval')()
  const askQuestion = () => isReachable && setAsking('question')
  const close = () => setAsking(null)
  useShortcuts(words('one'), [
    { key: 'a', label: words('approve'), run: askApproval },
    { key: 'r', label: words('reject'), run: ask('rejection') },
    { key: 'q', label: words('question'), run: askQuestion },
    { key: 'j', label: words('next'), run: goOn },
    { key: 'n', label: common('note'), run: () => note.current?.focus() },
    { key: 'u', label: words('undo'), run: decisions.undo },
  ])
  return (
    <Page
      title={claim?.acteur.nom ?? words('one')}
      back={<BackTo to="/claims" title={words('title')} />}
      actions={
        (waits || isReachable || next !== undefined) && (
          <ClaimActions
            onApprove={waits && !isForAdministrators ? askApproval : null}
            onReject={waits ? ask('rejection') : null}
            onQuestion={isReachable ? askQuestion : null}
            onNext={next !== undefined ? goOn : null}
            isPending={decisions.isPending}
          />
        )
      }
    >
      {decisions.error !== null && <ShownFailure error={decisions.error} />}
      <QueryState query={loaded} lines={8} />
      {claim && (
        <>
          <Present kind="claim" id={id} />
          {claim.status === 'pending' && claim.acteur.type === 'mairie' && <p>{words('mairieDecides')}</p>}
          {claim.status === 'pending' && claim.registers && <p>{words('registers')}</p>}
          {waits && isForAdministrators && <p>{words('forAdministrators')}</p>}
          <State claim={claim} onResume={() => decisions.resume(claim)} />
          <Section title={words('message')}>
            <p className={styles.message}>{claim.message || words('noMessage')}</p>
          </Section>
          <Evidence claim={claim} />
          <AnswersByMail about={id} areas={me.areas} />
          <Notes kind="claim" recordId={id} fieldRef={note} />
          <RecordHistory kind="claim" id={id} />
        </>
      )}
      {claim && (
        <Approval
          claim={claim}
          isOpen={asking === 'approval'}
          onClose={close}
          onApprove={(user_id) => {
            close()
            decisions.decide(claim, { status: 'approved', ...(user_id !== '' && { user_id }) })
          }}
        />
      )}
      {claim && asking === 'rejection' && (
        <ReasonDialog
          purpose="refuse"
          kind="claim"
          title={words('rejectTitle', { acteur: claim.acteur.nom })}
          ids={[id]}
          onClose={close}
          onSend={(reason, onSuccess) => decisions.decide(claim, { status: 'rejected', reason }, onSuccess)}
        />
      )}
      {claim && asking === 'question' && (
        <ReasonDialog
          purpose="question"
          kind="claim"
          title={words('questionTitle', { nom: claimantOf(claim) ?? words('unnamed') })}
          ids={[id]}
          onClose={close}
          onSend={(body, onSuccess) => decisions.ask(claim, body, onSuccess)}
        />
      )}
    </Page>
  )
}

type ActionsProps = {
  /** Null: not possible. */
  onApprove: (() => void) | null
  onReject: (() => void) | null
  onQuestion: (() => void) | null
  onNext: (() => void) | null
  isPending: boolean
}

function ClaimActions({ onApprove, onReject, onQuestion, onNext, isPending }: ActionsProps) {
  const words = useTranslations('claims')
  return (
    <Row>
      {onApprove && (
        <Button look="primary" shortcut="a" isPending={isPending} onPress={onApprove}>
          {words('approve')}
        </Button>
      )}
      {onReject && (
        <Button shortcut="r" isPending={isPending} onPress={onReject}>
          {words('reject')}
        </Button>
      )}
      {onQuestion && (
        <Button shortcut="q" isPending={isPending} onPress={onQuestion}>
          {words('question')}
        </Button>
      )}
      {onNext && (
        <Button look={onReject ? 'quiet' : 'plain'} shortcut="j" onPress={onNext}>
          {words('next')}
        </Button>
      )}
    </Row>
  )
}

/** Returns the id of the pending claim after this one, oldest first; the oldest if this one is decided. */
function useNextPending(id: string): string | undefined {
  const { data } = useQuery(claimsQuery({}))
  const pending = data?.data ?? []
  return pending[pending.findIndex((claim) => claim.id === id) + 1]?.id
}

/** Status of the claim, with its expiry. */
function State({ claim, onResume }: { claim: ReadClaim; onResume: () => void }) {
  const words = useTranslations('claims')
  const { mail } = useMailPlace()
  const { status, created_at, email_status, expires_at, awaits_answer, reason } = claim
  return (
    <>
      <Row as="p">
        <Badge tone={tones[status]}>{words(`status.${status}`)}</Badge>
        <span>
          {words('created')} <Time at={created_at} />
        </span>
        {status === 'pending' && !claim.has_contact && <Badge>{words('noContact')}</Badge>}
        {expires_at !== null && (
          <span>
            {words('expires')} <Time at={expires_at} />
          </span>
        )}
        {email_status !== null && (
          <Badge tone={email_status === 'failed' ? 'bad' : 'plain'}>
            {words(`mail.${email_status}`, { mail })}
          </Badge>
        )}
        {awaits_answer && (
          <>
            <Badge tone="accent">{words('awaits')}</Badge>
            {claim.can.includes('resume') && (
              <Button small look="quiet" onPress={onResume}>
                {words('resume')}
              </Button>
            )}
          </>
        )}
      </Row>
      {reason && <p>{words('reasonGiven', { reason })}</p>}
      {email_status !== null && <MailNote />}
    </>
  )
}

type ApprovalProps = {
  claim: ReadClaim
  isOpen: boolean
  onClose: () => void
  /** Called with the account that will own the page; empty: the claim tells it. */
  onApprove: (userId: string) => void
}

function Approval({ claim, isOpen, onClose, onApprove }: ApprovalProps) {
  const words = useTranslations('claims')
  const { mail, note } = useMailPlace()
  const [owner, setOwner] = useState('')
  const known = claim.user_id === null ? claim.matching_users : []
  const [named, setNamed] = useState<Choice | null>(null)
  const [isMissing, setMissing] = useState(false)
  const isUnknown = needsOwner(claim)
  const confirm = () => (isUnknown && named === null ? setMissing(true) : onApprove(named?.id ?? owner))
  return (
    <Confirm
      title={words('approveTitle', { acteur: claim.acteur.nom })}
      action={words('approve')}
      look="primary"
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={confirm}
    >
      {isUnknown ? (
        <SearchCombo
          label={words('whose')}
          help={words('whoseHelp')}
          error={isMissing && named === null ? words('whoseMissing') : null}
          isRequired
          search={ownerChoices}
          chosen={named}
          onChoose={setNamed}
        />
      ) : (
        <p>{words('willOwn', { nom: claimantOf(claim) ?? words('unnamed') })}</p>
      )}
      {claim.rivals.length > 0 && <p>{words('willReject', { count: claim.rivals.length })}</p>}
      <p>{withNote(words('willTell', { mail }), note)}</p>
      {known.length > 1 && (
        <Select
          label={words('whose')}
          value={owner}
          onChange={setOwner}
          options={[
            { value: '', label: words('whoSignsIn') },
            ...known.map((user) => ({
              value: user.id,
              label: user.nom ?? user.email ?? words('unnamed'),
            })),
          ]}
        />
      )}
    </Confirm>
  )
}
