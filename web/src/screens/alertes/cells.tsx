import { useTranslations } from 'use-intl'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './alertes.module.css'
import { type Managed, stateOf } from './store.ts'

const tones = { info: 'plain', attention: 'warn', urgence: 'bad' } as const

export function Level({ alerte: { niveau } }: { alerte: Pick<Managed, 'niveau'> }) {
  const words = useTranslations('alertes.niveaux')
  return <Badge tone={tones[niveau]}>{words(niveau)}</Badge>
}

export function AlerteMessage({ alerte: { message } }: { alerte: Pick<Managed, 'message'> }) {
  return <span className={styles.message}>{message}</span>
}

/** When an alerte is in force, and whether it is now. */
export function Period({ alerte }: { alerte: Pick<Managed, 'debut' | 'fin' | 'created_at'> }) {
  const words = useTranslations('alertes')
  const { debut, fin, created_at } = alerte
  const state = stateOf(alerte)
  return (
    <div className={styles.words}>
      <Badge tone={state === 'current' ? 'good' : 'plain'}>
        {words(state === 'current' ? 'whens.current' : state)}
      </Badge>
      <span>
        {words('from')} <Time at={debut ?? created_at} />
      </span>
      <span>
        {fin === null ? (
          words('endless')
        ) : (
          <>
            {words('until')} <Time at={fin} />
          </>
        )}
      </span>
    </div>
  )
}
