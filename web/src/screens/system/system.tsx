import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { type System, sendTestMail, systemQuery } from './queries.ts'
import { State } from './state.tsx'

const signedIn = getRouteApi('/signed-in')

/** State of the installation in words, settings that are off, and a test mail. */
export function SystemScreen() {
  const words = useTranslations('system')
  const { me } = signedIn.useRouteContext()
  const system = useQuery(systemQuery(useLocale()))
  return (
    <Page
      title={words('title')}
      actions={
        <Button icon="refresh" isPending={system.isFetching} onPress={() => void system.refetch()}>
          {words('reload')}
        </Button>
      }
    >
      <QueryState query={system} lines={8} />
      {system.data && (
        <>
          <Section title={words('state')}>
            <State system={system.data} />
          </Section>
          <Mail
            delivery={system.data.mail}
            isFailing={system.data.transports?.some(isFailingMail) ?? false}
            outbox={me.outbox ?? 'DATA_DIR/outbox'}
            onSent={() => void system.refetch()}
          />
          <Off settings={system.data.settings_off} />
        </>
      )}
      <Section title={words('lists')}>
        <Lines label={words('lists')}>
          <OneLine
            icon="list"
            title={<Link to="/system/types">{words('types')}</Link>}
            note={words('typesNote')}
          />
          <OneLine
            icon="screen"
            title={<Link to="/system/sources">{words('sources')}</Link>}
            note={words('sourcesNote')}
          />
          <OneLine
            icon="search"
            title={<Link to="/system/search-terms">{words('terms')}</Link>}
            note={words('termsNote')}
          />
          <OneLine
            icon="link"
            title={<Link to="/system/webhooks">{words('webhooks')}</Link>}
            note={words('webhooksNote')}
          />
        </Lines>
      </Section>
    </Page>
  )
}

type Transport = NonNullable<System['transports']>[number]
const isFailingMail = ({ kind, failing_since }: Transport) => kind === 'mail' && failing_since !== null

type MailProps = { delivery: System['mail']; isFailing: boolean; outbox: string; onSent: () => void }

function Mail({ delivery, isFailing, outbox, onSent }: MailProps) {
  const words = useTranslations('system.mail')
  const sending = useSubmit({ mutationFn: sendTestMail, onSuccess: onSent })
  const outcome = sending.data
  return (
    <Section
      title={words('title')}
      note={words(isFailing && delivery === 'smtp' ? 'failing' : delivery, { outbox })}
    >
      <div>
        <Button icon="mail" isPending={sending.isPending} onPress={() => sending.submit()}>
          {words('test')}
        </Button>
      </div>
      {outcome && (
        <Notice
          tone={outcome.status === 'sent' ? 'info' : outcome.status === 'failed' ? 'bad' : 'warn'}
          title={
            outcome.status === 'sent'
              ? words(`sent.${outcome.delivery}`, { outbox })
              : words(`outcome.${outcome.status}`)
          }
        >
          {outcome.error && <p>{outcome.error}</p>}
        </Notice>
      )}
      {sending.isError && <ShownFailure error={sending.error} />}
    </Section>
  )
}

function Off({ settings }: { settings: System['settings_off'] }) {
  const words = useTranslations('system.off')
  return (
    <Section title={words('title')} note={words(settings.length === 0 ? 'none' : 'note')}>
      <Lines label={words('title')}>
        {settings.map(({ setting, effect, is_advised, docs }) => (
          <OneLine
            key={setting}
            icon={is_advised ? 'warning' : 'info'}
            title={<code>{setting}</code>}
            badge={
              is_advised ? <Badge tone="warn">{words('advised')}</Badge> : <Badge>{words('optional')}</Badge>
            }
            note={
              <>
                {effect} {words('docs')} <code>docs/{docs}</code>
              </>
            }
          />
        ))}
      </Lines>
    </Section>
  )
}
