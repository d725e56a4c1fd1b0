import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { MailNote, useMailPlace } from '../../shell/mail-place.tsx'
import { RecordLink } from '../../shell/records/record-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Row } from '../../ui/layout.tsx'
import { Facts, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { WebLink } from '../../ui/web-link.tsx'
import styles from './claims.module.css'
import { type OtherClaim, type ReadClaim, tones } from './queries.ts'

/** Evidence for and against a claim: the claimant, the acteur, its members, other claims and questions. */
export function Evidence({ claim }: { claim: ReadClaim }) {
  const words = useTranslations('claims')
  return (
    <>
      <Claimant claim={claim} />
      <Acteur claim={claim} />
      <Questions claim={claim} />
      {claim.rivals.length > 0 && <Others title={words('rivals')} claims={claim.rivals} />}
      {claim.earlier_claims.length > 0 && <Others title={words('earlier')} claims={claim.earlier_claims} />}
    </>
  )
}

function Claimant({ claim }: { claim: ReadClaim }) {
  const words = useTranslations('claims')
  const { user, email_matches_site: matches } = claim
  const badge = matches !== null && (
    <Badge tone={matches ? 'good' : 'warn'}>{words(matches ? 'matchesSite' : 'otherThanSite')}</Badge>
  )
  return (
    <Section title={words('claimant')}>
      <Facts
        facts={[
          [words('name'), claim.nom ?? words('unnamed')],
          [
            words('email'),
            <Row as="span" key="email">
              {claim.email ?? words('none')}
              {user === null && badge}
            </Row>,
          ],
          [words('phone'), claim.telephone ?? words('none')],
          [words('reference'), claim.reference ?? words('none')],
          [words('account'), <Account key="account" claim={claim} badge={badge} />],
        ]}
      />
      {claim.matching_users.length > 0 && (
        <>
          <h3>{words('matching')}</h3>
          <People people={claim.matching_users.map((user) => ({ ...user, user_id: user.id }))} />
        </>
      )}
    </Section>
  )
}

const signedIn = getRouteApi('/signed-in')

/** The account that the claim was made with, with its record for those who may open it. */
function Account({ claim: { user, owning_address, status }, badge }: { claim: ReadClaim; badge: ReactNode }) {
  const words = useTranslations('claims')
  const { me } = signedIn.useRouteContext()
  if (user === null) return words('noAccount')
  const name = user.nom ?? words('unnamed')
  return (
    <Row as="span">
      {me.areas.includes('users') ? (
        <RecordLink entity="user" id={user.id}>
          {name}
        </RecordLink>
      ) : (
        name
      )}
      {/* The account of an approved claim is the owner's, which a claim made without signing in has too. */}
      <span>{words(status === 'approved' ? 'ownerAccount' : 'hasAccount')}</span>
      {owning_address}
      {badge}
    </Row>
  )
}

/** Public data of the acteur: its contacts may confirm or contradict the claim. */
function Acteur({ claim: { acteur, members } }: { claim: ReadClaim }) {
  const words = useTranslations('claims')
  const { adresse, email, telephone, site_web } = acteur
  const { me } = signedIn.useRouteContext()
  const name = me.areas.includes('acteurs') ? (
    <RecordLink key="acteur" entity="acteur" id={acteur.id}>
      {acteur.nom}
    </RecordLink>
  ) : (
    acteur.nom
  )
  const known: (readonly [string, ReactNode])[] = [[words('acteur'), name]]
  if (adresse !== null) known.push([words('address'), adresse])
  if (email !== null) known.push([words('email'), email])
  if (telephone !== null) known.push([words('phone'), telephone])
  if (site_web !== null) known.push([words('site'), <WebLink key="site" address={site_web} />])
  return (
    <>
      <Section title={words('acteurTitle')}>
        {(acteur.deleted || !acteur.active) && (
          <p>
            <Badge tone="bad">{words(acteur.deleted ? 'deleted' : 'inactive')}</Badge>
          </p>
        )}
        <Facts facts={known} />
      </Section>
      <Section title={words('members')}>
        {members.length === 0 ? <p>{words('noMember')}</p> : <People people={members} />}
      </Section>
    </>
  )
}

type Person = {
  user_id: string
  nom: string | null
  email: string | null
  email_verified: boolean
  role?: 'owner' | 'editor'
}

function People({ people }: { people: readonly Person[] }) {
  const words = useTranslations('claims')
  return (
    <ul className={styles.people}>
      {people.map(({ user_id, nom, email, email_verified, role }) => (
        <Row as="li" key={user_id}>
          <span>{[nom, email].filter(Boolean).join(' · ')}</span>
          {role && <Badge>{words(`role.${role}`)}</Badge>}
          <Badge tone={email_verified ? 'good' : 'warn'}>
            {words(email_verified ? 'verified' : 'unverified')}
          </Badge>
        </Row>
      ))}
    </ul>
  )
}

/** Questions to the claimant, who answers by mail. */
function Questions({ claim: { questions } }: { claim: ReadClaim }) {
  const words = useTranslations('claims')
  const common = useTranslations('queue')
  const { me } = signedIn.useRouteContext()
  const { mail } = useMailPlace()
  const nameOf = ({ id, nom }: ReadClaim['questions'][number]['asked_by_user']) =>
    id === me.id ? common('yourself') : (nom ?? words('unnamed'))
  if (questions.length === 0) return null
  return (
    <Section title={words('questions')} note={words('questionsNote')}>
      <ul className={styles.people}>
        {questions.map(({ id, body, asked_by_user, email_status, created_at }) => (
          <li key={id}>
            <p className={styles.message}>{body}</p>
            <Row as="p">
              <span>{nameOf(asked_by_user)}</span>
              <Time at={created_at} />
              <Badge tone={email_status === 'failed' ? 'bad' : 'plain'}>
                {words(`mail.${email_status}`, { mail })}
              </Badge>
            </Row>
          </li>
        ))}
      </ul>
      <MailNote />
    </Section>
  )
}

function Others({ title, claims }: { title: string; claims: readonly OtherClaim[] }) {
  const words = useTranslations('claims')
  return (
    <Section title={title}>
      <ul className={styles.people}>
        {claims.map(({ id, nom, user, email, status, reason, decided_by_user, created_at }) => (
          <li key={id}>
            <Row as="span">
              <Link to="/claims/$id" params={{ id }}>
                {nom ?? user?.nom ?? email ?? words('unnamed')}
              </Link>
              <Badge tone={tones[status]}>{words(`status.${status}`)}</Badge>
              {decided_by_user?.nom && <span>{words('decidedBy', { nom: decided_by_user.nom })}</span>}
              <Time at={created_at} />
            </Row>
            {reason && <p>{words('reasonGiven', { reason })}</p>}
          </li>
        ))}
      </ul>
    </Section>
  )
}
