import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choice.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { TextField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { EditDialog, useSaving } from './edit.tsx'
import { type AppSource, saveSource, sourcesQuery } from './queries.ts'

/** Applications that may call the API. */
export function SourcesScreen() {
  const words = useTranslations('reference')
  const sources = useQuery(sourcesQuery)
  const client = useQueryClient()
  const [edited, setEdited] = useState<AppSource | 'new' | null>(null)
  return (
    <Page
      title={words('sources.title')}
      actions={
        <Button look="primary" onPress={() => setEdited('new')}>
          {words('sources.add')}
        </Button>
      }
    >
      <Link to="/system">{words('back')}</Link>
      {sources.isPending && <Skeleton lines={6} />}
      {sources.isError && <ShownFailure error={sources.error} onRetry={() => void sources.refetch()} />}
      {sources.data && (
        <Table
          label={words('sources.title')}
          items={sources.data.map((source) => ({ ...source, id: source.code }))}
          empty={<p>{words('sources.empty')}</p>}
          columns={[
            { id: 'label', title: words('label'), cell: ({ label }) => <strong>{label}</strong> },
            { id: 'code', title: words('sources.code'), cell: ({ code }) => <code>{code}</code> },
            {
              id: 'shows',
              title: words('sources.shows'),
              cell: ({ commune_ids }) =>
                commune_ids === null
                  ? words('sources.everything')
                  : words('sources.communes', { count: commune_ids.length }),
            },
            {
              id: 'active',
              title: words('sources.state'),
              cell: ({ active }) =>
                active ? (
                  <Badge tone="good">{words('sources.active')}</Badge>
                ) : (
                  <Badge tone="bad">{words('sources.refused')}</Badge>
                ),
            },
            {
              id: 'deeds',
              title: words('deeds'),
              cell: (source) => (
                <Button
                  small
                  aria-label={words('editNamed', { name: source.label })}
                  onPress={() => setEdited(source)}
                >
                  {words('edit')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {edited !== null && (
        <SourceDialog
          source={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null)
            void client.invalidateQueries({ queryKey: ['app-sources'] })
          }}
        />
      )}
    </Page>
  )
}

type SourceProps = { source: AppSource | null; onClose: () => void; onSaved: () => void }

function SourceDialog({ source, onClose, onSaved }: SourceProps) {
  const words = useTranslations('reference')
  const [code, setCode] = useState(source?.code ?? '')
  const [label, setLabel] = useState(source?.label ?? '')
  const [active, setActive] = useState(source?.active ?? true)
  const { saving, wrong } = useSaving(
    () => saveSource(source, { code: code.trim(), label: label.trim(), active }),
    onSaved,
  )
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (label.trim() !== '' && code.trim() !== '') saving.mutate()
  }
  return (
    <EditDialog
      title={source === null ? words('sources.add') : words('editNamed', { name: source.label })}
      saving={saving}
      taken={words('sources.taken')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={words('sources.code')}
        help={words('sources.codeHelp')}
        isRequired
        isReadOnly={source !== null}
        autoFocus={source === null}
        autoComplete="off"
        maxLength={50}
        value={code}
        onChange={setCode}
        error={wrong('code')}
      />
      <TextField
        label={words('label')}
        isRequired
        autoFocus={source !== null}
        maxLength={100}
        value={label}
        onChange={setLabel}
        error={wrong('label')}
      />
      <Switch isSelected={active} onChange={setActive}>
        {words('sources.isActive')}
      </Switch>
      {wrong('active') && <p role="alert">{wrong('active')}</p>}
    </EditDialog>
  )
}
