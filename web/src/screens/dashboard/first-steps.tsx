import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { factorsQuery } from '../../api/factors.ts'
import type { Me } from '../../api/queries.ts'
import { decisionsQuery, templatesQuery } from '../../shell/deciding/queries.ts'
import { changeSettings, settings } from '../../shell/settings.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'

const steps = {
  factor: { to: '/account', icon: 'shield' },
  colleague: { to: '/users', icon: 'users' },
  template: { to: '/queue', icon: 'copy' },
  decision: { to: '/queue', icon: 'inbox' },
} as const
type Step = keyof typeof steps

type StepsProps = { me: Me; users: number | undefined }

/** Checklist for new users. Hidden once all steps are done or the user dismisses it. */
export function FirstSteps({ me, users }: StepsProps) {
  const { hidesFirstSteps } = settings.use()
  return hidesFirstSteps ? null : <Steps me={me} users={users} />
}

function Steps({ me, users }: StepsProps) {
  const words = useTranslations('firstSteps')
  const moderates = me.areas.includes('publications')
  const factors = useQuery(factorsQuery)
  const templates = useQuery({ ...templatesQuery('rejection'), enabled: moderates })
  const decisions = useQuery({ ...decisionsQuery, enabled: moderates })
  const done: { [Name in Step]?: boolean | undefined } = {
    factor: factors.data && (factors.data.totp || factors.data.passkeys.length > 0),
    ...(me.areas.includes('users') && { colleague: users === undefined ? undefined : users > 1 }),
    ...(moderates && {
      template: templates.data && templates.data.length > 0,
      decision: decisions.data && decisions.data.length > 0,
    }),
  }
  const states = Object.values(done)
  if (states.some((state) => state === undefined) || states.every(Boolean)) return null
  return (
    <Section title={words('title')} note={words('note')}>
      <Lines label={words('title')}>
        {(Object.keys(done) as Step[]).map((step) => (
          <OneLine
            key={step}
            icon={done[step] ? 'check' : steps[step].icon}
            title={words(`${step}.title`)}
            badge={done[step] && <Badge tone="good">{words('done')}</Badge>}
            note={!done[step] && words(`${step}.text`)}
          >
            {!done[step] && <Link to={steps[step].to}>{words(`${step}.open`)}</Link>}
          </OneLine>
        ))}
      </Lines>
      <div>
        <Button small look="quiet" onPress={() => changeSettings({ hidesFirstSteps: true })}>
          {words('hide')}
        </Button>
      </div>
    </Section>
  )
}
