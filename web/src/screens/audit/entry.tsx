import { useTranslations } from 'use-intl'
import { hasScreen, RecordLink } from '../../shell/records/record-link.tsx'
import { useShownValue } from '../../shell/records/shown-value.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './audit.module.css'
import type { AuditChange, AuditEntry } from './queries.ts'
import type { AuditSearch } from './search.ts'

type EntryProps = { entry: AuditEntry; onShow: (search: AuditSearch) => void }

/** Shows an entry as a sentence with its time; unfolded, what changed and links to related entries. */
export function Entry({ entry, onShow }: EntryProps) {
  const words = useTranslations('audit')
  const { entity, entity_id: id, user_id: person, acteur, request_id: request, action, summary } = entry
  return (
    <li className={styles.entry}>
      <div className={styles.line}>
        <span className={styles.summary}>{summary}</span>
        <span className={styles.when}>
          <Time at={entry.at} />
        </span>
      </div>
      <details className={styles.details}>
        <summary className={styles.unfold}>
          {words('changes', { count: entry.changes.length })}
          <span className={styles.hidden}> : {summary}</span>
        </summary>
        {entry.changes.length > 0 && <Changes changes={entry.changes} />}
        <Soft>
          <code>{action}</code>
          {entry.app_source !== null && ` · ${words('source', { source: entry.app_source })}`}
          {request !== null && (
            <>
              {' · '}
              {words('requestId')} <code>{request}</code>
            </>
          )}
        </Soft>
        <Row>
          {hasScreen(entity) && (
            <RecordLink entity={entity} id={id}>
              {words('open')}
            </RecordLink>
          )}
          <Button small onPress={() => onShow({ record: id })}>
            {words('show.record')}
          </Button>
          {person !== null && (
            <Button small onPress={() => onShow({ person })}>
              {words('show.person')}
            </Button>
          )}
          {acteur !== null && (
            <Button small onPress={() => onShow({ acteur: acteur.id })}>
              {words('show.acteur', { name: acteur.nom })}
            </Button>
          )}
          {request !== null && (
            <Button small onPress={() => onShow({ request })}>
              {words('show.request')}
            </Button>
          )}
          <Button small onPress={() => onShow({ action })}>
            {words('show.action')}
          </Button>
        </Row>
      </details>
    </li>
  )
}

function Changes({ changes }: { changes: readonly AuditChange[] }) {
  const words = useTranslations('audit')
  const shown = useShownValue()
  return (
    <dl className={styles.changes}>
      {changes.map(({ field, label, before, after, before_name: was, after_name: is, personal }) => (
        <div key={field} className={styles.change}>
          <dt>{label}</dt>
          <dd>
            {personal ? (
              <Badge>{words('personal')}</Badge>
            ) : (
              <>
                {before !== null && (
                  <del className={styles.before}>
                    <span className={styles.hidden}>{words('before')} </span>
                    {was ?? shown(before, field)}
                  </del>
                )}
                {after !== null && (
                  <ins className={styles.after}>
                    <span className={styles.hidden}>{words('after')} </span>
                    {is ?? shown(after, field)}
                  </ins>
                )}
                {after === null && <Soft as="span">{words('emptied')}</Soft>}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
