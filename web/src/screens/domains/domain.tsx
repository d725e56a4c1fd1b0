import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '../../api/failure.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { ShownFailure, useFailureToast } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ChangeHome } from './change-home.tsx'
import styles from './domains.module.css'
import { type Domain, deleteDomain, domainQuery, makePrimary, verifyDomain } from './queries.ts'

const route = getRouteApi('/signed-in/domains/$id')

/** One domain: what proves who controls it. */
export function DomainScreen() {
  const { id } = route.useParams()
  const domain = useQuery(domainQuery(id))
  return domain.data ? <OneDomain key={id} domain={domain.data} /> : <QueryState query={domain} lines={6} />
}

function OneDomain({ domain }: { domain: Domain }) {
  const words = useTranslations('domains')
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const [isDeleting, setDeleting] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const { host, commune, group, token, verified_at } = domain
  const home = commune ?? group
  const isProven = verified_at !== null
  const verifying = useSubmit({
    mutationFn: () => verifyDomain(domain),
    onSuccess: (verified) => {
      client.setQueryData(domainQuery(verified.id).queryKey, verified)
      void client.invalidateQueries({ queryKey: ['domains', 'list'] })
      showToast({ title: words('verified', { host }) })
    },
  })
  const choosing = useSubmit({
    mutationFn: () => makePrimary(domain),
    onSuccess: (chosen) => {
      client.setQueryData(domainQuery(chosen.id).queryKey, chosen)
      // Another one may have been the primary one.
      void client.invalidateQueries({ queryKey: ['domains'] })
      showToast({ title: words('madePrimary', { host, nom: home?.nom ?? '' }) })
    },
    onError: (failure) => showFailure(words('notMadePrimary'), failure),
  })
  const { error } = verifying
  const isUnproven = error instanceof ApiFailure && error.code === 'domain_unproven'
  return (
    <Page title={host}>
      <Row>
        <Badge tone={isProven ? 'good' : 'warn'}>{words(isProven ? 'proven' : 'unproven')}</Badge>
        {domain.is_canonical && <Badge tone="accent">{words('primary')}</Badge>}
        <span>{home?.nom}</span>
        <Button small onPress={() => setChanging(true)}>
          {words('changeHome')}
        </Button>
        {domain.can.includes('primary') && !domain.is_canonical && (
          <Button small isPending={choosing.isPending} onPress={() => choosing.submit()}>
            {words('makePrimary')}
          </Button>
        )}
      </Row>
      <Soft>{words('served')}</Soft>
      <Section title={words('proof')} note={words('proofNote')}>
        <Facts
          facts={[
            [words('recordName'), <Copied key="name" value={`_parvis.${host}`} />],
            [words('recordType'), 'TXT'],
            [words('recordValue'), <Copied key="value" value={token} />],
          ]}
        />
        <Soft>{words('file', { address: `https://${host}/.well-known/parvis-domain` })}</Soft>
        {error !== null &&
          (isUnproven ? (
            <Notice tone="warn" title={words('stillUnproven')} />
          ) : (
            <ShownFailure error={error} />
          ))}
      </Section>
      <Row>
        <Button look="primary" isPending={verifying.isPending} onPress={() => verifying.submit()}>
          {words('verify')}
        </Button>
        <Button look="quiet" onPress={() => setDeleting(true)}>
          {words('delete')}
        </Button>
      </Row>
      {isChanging && <ChangeHome domain={domain} onClose={() => setChanging(false)} />}
      {isDeleting && <DeleteDomain domain={domain} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

/** A value with a button that copies it. */
function Copied({ value }: { value: string }) {
  const words = useTranslations('domains')
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  return (
    <span className={styles.value}>
      <code>{value}</code>
      <Button small icon={isCopied ? 'check' : 'copy'} onPress={() => void copy()}>
        {words(isCopied ? 'copied' : 'copy')}
      </Button>
    </span>
  )
}

function DeleteDomain({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const words = useTranslations('domains')
  const navigate = useNavigate()
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const deleting = useSubmit({
    mutationFn: () => deleteDomain(domain),
    onSuccess: async ({ id, host }) => {
      showToast({ title: words('deleted', { host }) })
      await navigate({ to: '/domains' })
      client.removeQueries({ queryKey: domainQuery(id).queryKey })
      void client.invalidateQueries({ queryKey: ['domains'] })
    },
    onError: (error) => showFailure(words('notDeleted'), error),
    onSettled: onClose,
  })
  return (
    <Confirm
      title={words('deleteTitle', { host: domain.host })}
      action={words('delete')}
      isOpen
      isPending={deleting.isPending}
      onClose={onClose}
      onConfirm={() => deleting.submit()}
    >
      <p>{words('deleteText')}</p>
    </Confirm>
  )
}
