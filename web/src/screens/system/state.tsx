import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../ui/badge.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { useSize } from '../../ui/size.ts'
import { Ago } from '../../ui/time.tsx'
import type { System } from './queries.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** A job that is due is taken within seconds. */
const lateMs = 10 * minuteMs
const oldBackupMs = 8 * dayMs
const lowShare = 0.1

/** Each part of the installation in words, and what to do where something is wrong. */
export function State({ system }: { system: System }) {
  const words = useTranslations('system')
  const { version, node, instances, database, jobs, transports, backup, disk } = system
  return (
    <Lines label={words('state')}>
      <OneLine icon="info" title={words('version', { version })} note={words('node', { node })} />
      {instances === null ? (
        <Unknown icon="screen" name="instances" />
      ) : (
        <Instances instances={instances} version={version} />
      )}
      {database === null ? <Unknown icon="list" name="database" /> : <Database database={database} />}
      {jobs === null ? <Unknown icon="clock" name="jobs" /> : <Jobs jobs={jobs} />}
      {transports === null ? (
        <Unknown icon="mail" name="transports" />
      ) : (
        transports.map((one) => <Transport key={one.kind} transport={one} />)
      )}
      {backup === null ? <Unknown icon="copies" name="backup" /> : <Backup backup={backup} />}
      {disk === null ? <Unknown icon="inbox" name="disk" /> : <Disk disk={disk} />}
    </Lines>
  )
}

type Part<Name extends keyof System> = { [Key in Name]: NonNullable<System[Name]> }

function Instances({ instances, version }: Part<'instances'> & { version: string }) {
  const words = useTranslations('system.instances')
  const others = new Set(instances.map((one) => one.version).filter((other) => other !== version))
  const serving = instances.filter(({ jobs }) => jobs !== 'only').length
  const working = instances.filter(({ jobs }) => jobs !== 'off').length
  const lacksJobs = instances.length > 0 && working === 0
  const hasRoles = instances.some(({ jobs }) => jobs !== 'on')
  return (
    <StateLine
      icon="screen"
      title={words('count', { count: instances.length })}
      isBad={others.size > 0 || lacksJobs}
    >
      {others.size > 0 ? words('mixed', { versions: [...others].join(', ') }) : words('same')}
      {hasRoles && ` ${lacksJobs ? words('noJobs') : words('roles', { serving, working })}`}
    </StateLine>
  )
}

function Database({ database: { version, is_embedded, bytes } }: Part<'database'>) {
  const words = useTranslations('system.database')
  const size = useSize()
  return (
    <StateLine icon="list" title={words('size', { size: size(bytes) })}>
      {words(is_embedded ? 'embedded' : 'own', { version })}
    </StateLine>
  )
}

function Jobs({ jobs: { waiting, oldest_at, failed } }: Part<'jobs'>) {
  const words = useTranslations('system.jobs')
  const isLate = oldest_at !== null && Date.now() - Date.parse(oldest_at) > lateMs
  return (
    <StateLine icon="clock" title={words('waiting', { count: waiting })} isBad={isLate || failed > 0}>
      {oldest_at !== null && (
        <>
          {words('oldest')} <Ago at={oldest_at} />.{' '}
        </>
      )}
      {isLate && <>{words('late')} </>}
      {failed > 0 ? words('failed', { count: failed }) : words('noneFailed')}
    </StateLine>
  )
}

function Transport({ transport }: { transport: NonNullable<System['transports']>[number] }) {
  const words = useTranslations('system.transports')
  const { kind, failing_since, last_error, waiting, oldest_unsent } = transport
  const isFailing = failing_since !== null
  return (
    <OneLine
      icon={isFailing ? 'error' : kind === 'mail' ? 'mail' : 'screen'}
      title={words(kind)}
      badge={isFailing && <Badge tone="bad">{words('failing')}</Badge>}
      note={
        <>
          {isFailing && (
            <>
              {words('since')} <Ago at={failing_since} />.{' '}
            </>
          )}
          {last_error === null ? words('works') : `${isFailing ? '' : words('doubt')} ${last_error}.`}{' '}
          {words('waiting', { count: waiting })}
          {oldest_unsent !== null && (
            <>
              , {words('oldest')} <Ago at={oldest_unsent} />.
            </>
          )}
        </>
      }
    />
  )
}

function Backup({ backup: { is_ours, made_at } }: Part<'backup'>) {
  const words = useTranslations('system.backup')
  if (!is_ours)
    return (
      <StateLine icon="copies" title={words('others')}>
        {words('othersNote')}
      </StateLine>
    )
  if (made_at === null)
    return (
      <StateLine icon="copies" title={words('never')} isBad>
        {words('do')}
      </StateLine>
    )
  const isOld = Date.now() - Date.parse(made_at) > oldBackupMs
  return (
    <StateLine icon="copies" title={words('last')} isBad={isOld}>
      <Ago at={made_at} />. {isOld && words('do')}
    </StateLine>
  )
}

function Disk({ disk: { free_bytes, total_bytes } }: Part<'disk'>) {
  const words = useTranslations('system.disk')
  const size = useSize()
  const isLow = free_bytes < total_bytes * lowShare
  return (
    <StateLine
      icon="inbox"
      title={words('free', { free: size(free_bytes), total: size(total_bytes) })}
      isBad={isLow}
    >
      {words(isLow ? 'low' : 'fine')}
    </StateLine>
  )
}

type LineProps = { icon: IconName; title: string; isBad?: boolean; children: ReactNode }

function StateLine({ icon, title, isBad = false, children }: LineProps) {
  const words = useTranslations('system')
  return (
    <OneLine
      icon={isBad ? 'warning' : icon}
      title={title}
      badge={isBad && <Badge tone="warn">{words('look')}</Badge>}
      note={children}
    />
  )
}

function Unknown({
  icon,
  name,
}: {
  icon: IconName
  name: 'instances' | 'database' | 'jobs' | 'transports' | 'backup' | 'disk'
}) {
  const words = useTranslations('system')
  return (
    <StateLine icon={icon} title={words(`unknown.${name}`)} isBad>
      {words('unknown.text')}
    </StateLine>
  )
}
