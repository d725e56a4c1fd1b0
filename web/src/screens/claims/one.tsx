import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Reject } from '../../shell/deciding/reject.tsx'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './claims.module.css'
import { useClaimDecisions } from './decisions.ts'
import { tones } from './list.tsx'
import { type Claim, claimQuery, claimsToQuery } from './queries.ts'

const route = getRouteApi('/signed-in/claims/$id')

/** One claim with what speaks for it: who asks, who owns the page now, and who else asks. */
export function ClaimScreen() {
  const words = useTranslations('claims')
  const { id } = route.useParams()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'approval' | 'rejection' | null>(null)
  const [owner, setOwner] = useState('')
  const { data: claim, ...loaded } = useQuery(claimQuery(id))
  const to = useQuery(claimsToQuery(claim?.acteur_id ?? ''))
  const decisions = useClaimDecisions()
  const others = (to.data ?? []).filter((other) => other.id !== id)
  const rivals = others.filter(({ status }) => status === 'pending')
  const waits = claim?.can.includes('edit') ?? false
  const ask = (what: typeof asking) => () => waits && setAsking(what)
  useShortcuts(words('one'), [
    { key: 'a', label: words('approve'), run: ask('approval') },
    { key: 'r', label: words('reject'), run: ask('rejection') },
    { key: 'u', label: words('undo'), run: decisions.undo },
  ])
  const known = claim?.user_id === null ? claim.matching_users : []
  return (
    <Page
      title={claim?.acteur.nom ?? words('one')}
      actions={
        waits && (
          <div className={styles.actions}>
            <Button look="primary" shortcut="a" isPending={decisions.isPending} onPress={ask('approval')}>
              {words('approve')}
            </Button>
            <Button shortcut="r" isPending={decisions.isPending} onPress={ask('rejection')}>
              {words('reject')}
            </Button>
          </div>
        )
      }
    >
      <div>
        <Button look="quiet" small icon="back" onPress={() => void navigate({ to: '/claims' })}>
          {words('title')}
        </Button>
      </div>
      {decisions.error !== null && <ShownFailure error={decisions.error} />}
      {loaded.isError && <ShownFailure error={loaded.error} onRetry={() => void loaded.refetch()} />}
      {!claim && !loaded.isError && <Skeleton lines={8} />}
      {claim && (
        <>
          <p className={styles.meta}>
            <Badge tone={tones[claim.status]}>{words(`status.${claim.status}`)}</Badge>
            <span>
              {words('created')} <Time at={claim.created_at} />
            </span>
            {claim.email_status !== null && (
              <Badge tone={claim.email_status === 'failed' ? 'bad' : 'plain'}>
                {words(`mail.${claim.email_status}`)}
              </Badge>
            )}
          </p>
          {claim.reason && <p>{words('reasonGiven', { reason: claim.reason })}</p>}
          <Section title={words('message')}>
            <p className={styles.message}>{claim.message || words('noMessage')}</p>
          </Section>
          <Section title={words('claimant')}>
            <Facts
              facts={[
                [words('name'), claim.nom ?? words('unnamed')],
                [words('email'), claim.email ?? words('none')],
                [words('phone'), claim.telephone ?? words('none')],
                [words('account'), words(claim.user_id === null ? 'noAccount' : 'hasAccount')],
              ]}
            />
            {claim.matching_users.length > 0 && (
              <>
                <h3>{words('matching')}</h3>
                <ul className={styles.people}>
                  {claim.matching_users.map((user) => (
                    <li key={user.id}>
                      {[user.nom, user.email].filter(Boolean).join(' · ')}{' '}
                      <Badge tone={user.email_verified ? 'good' : 'warn'}>
                        {words(user.email_verified ? 'verified' : 'unverified')}
                      </Badge>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Section>
          <Section title={words('owners')}>
            {claim.owners.length === 0 && <p>{words('noOwner')}</p>}
            <ul className={styles.people}>
              {claim.owners.map((user) => (
                <li key={user.user_id}>
                  {[user.nom, user.email].filter(Boolean).join(' · ')}{' '}
                  <Badge tone={user.email_verified ? 'good' : 'warn'}>
                    {words(user.email_verified ? 'verified' : 'unverified')}
                  </Badge>
                </li>
              ))}
            </ul>
          </Section>
          {to.isError && <ShownFailure error={to.error} onRetry={() => void to.refetch()} />}
          {others.length > 0 && <Others claims={others} />}
        </>
      )}
      {claim && (
        <Confirm
          title={words('approveTitle', { acteur: claim.acteur.nom })}
          deed={words('approve')}
          isOpen={asking === 'approval'}
          onClose={() => setAsking(null)}
          onConfirm={() => {
            setAsking(null)
            decisions.decide(claim, { status: 'approved', ...(owner !== '' && { user_id: owner }) })
          }}
        >
          <p>{words('willOwn', { nom: claim.nom ?? claim.email ?? words('unnamed') })}</p>
          {rivals.length > 0 && <p>{words('willReject', { count: rivals.length })}</p>}
          <p>{words('willTell')}</p>
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
      )}
      {claim && asking === 'rejection' && (
        <Reject
          kind="claim"
          title={words('rejectTitle', { acteur: claim.acteur.nom })}
          of={id}
          onClose={() => setAsking(null)}
          onReject={(reason, onSuccess) => decisions.decide(claim, { status: 'rejected', reason }, onSuccess)}
        />
      )}
    </Page>
  )
}

/** Others who ask for the same page, and what was decided before. */
function Others({ claims }: { claims: readonly Claim[] }) {
  const words = useTranslations('claims')
  return (
    <Section title={words('others')}>
      <ul className={styles.people}>
        {claims.map(({ id, nom, email, status, created_at }) => (
          <li key={id} className={styles.meta}>
            <Link to="/claims/$id" params={{ id }}>
              {nom ?? email ?? words('unnamed')}
            </Link>
            <Badge tone={tones[status]}>{words(`status.${status}`)}</Badge>
            <Time at={created_at} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
