import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { BackTo } from '../../shell/records/back-to.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { useIntoView } from '../../ui/into-view.ts'
import { Row } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { emptySource, isMapped, type SourceDraft, settingsOf } from './draft.ts'
import { SourceFields } from './fields.tsx'
import styles from './imports.module.css'
import { Sample, Tried } from './items.tsx'
import { createSource, type Inspection, inspect, type Settings, tryUnsaved } from './queries.ts'
import { useSaid } from './words.ts'

/**
 * A new source: address → type, sample and mapping proposed → dry run → saved. What is typed survives a reload;
 * the address is then inspected again.
 */
export function NewSourceScreen() {
  const words = useTranslations('imports')
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mine: typed, put: change, clear, isChanged } = usePartDraft('import.new', emptySource)
  // The key depends on the settings: a repeated save creates one source.
  const [key] = useState(() => crypto.randomUUID())
  const inspecting = useSubmit({
    mutationFn: inspect,
    onSuccess: (found, url) => {
      if (found.type === null) return
      // The same address inspected again, after a reload, keeps a mapping that was changed.
      const isAgain = typed.inspected === url && typed.type === found.type
      const mapping = isAgain ? typed.mapping : { ...found.mapping }
      change({ url, nom: typed.nom || hostOf(url), type: found.type, mapping, inspected: url })
    },
  })
  const trying = useSubmit({ mutationFn: tryUnsaved })
  const saving = useSubmit({
    mutationFn: (settings: Settings) => createSource(`${key}-${hashOf(settings)}`, settings),
    onSuccess: async ({ id, nom }) => {
      showToast({ title: words('saved', { nom }) })
      clear()
      await client.invalidateQueries({ queryKey: ['runs'] })
      await navigate({ to: '/imports/$id', params: { id } })
    },
  })
  const look = (given: string, title: string | null = null) => {
    const url = withScheme(given.trim())
    const isNamed = title === null || typed.nom !== ''
    change({ url, ...(!isNamed && { nom: `${title} · ${hostOf(url)}` }) })
    trying.reset()
    saving.reset()
    inspecting.submit(url)
  }
  const changeAddress = (url: string) => {
    change({ url })
    // What was found at the former address says nothing about this one.
    inspecting.reset()
    trying.reset()
    saving.reset()
  }
  const edit = (changed: Partial<SourceDraft>) => {
    change(changed)
    // The dry run no longer describes what would be saved.
    trying.reset()
  }
  const found = inspecting.data
  const wrongAddress = messageFor(inspecting.error, 'url')
  const isFound = found !== undefined && found.type !== null
  const submit = () => {
    if (typed.url.trim() !== '') look(typed.url)
  }
  const save = () => {
    saving.submit(settingsOf(typed))
  }
  return (
    <Page title={words('newTitle')} back={<BackTo to="/imports" title={words('title')} />}>
      <Form className={styles.address} onSubmit={submit}>
        <TextField
          label={words('address')}
          help={words('addressHelp')}
          type="url"
          isRequired
          autoFocus
          autoComplete="off"
          value={typed.url}
          onChange={changeAddress}
          error={wrongAddress}
        />
        <Button look="primary" type="submit" isPending={inspecting.isPending}>
          {words('inspect')}
        </Button>
      </Form>
      {inspecting.isPending && <p role="status">{words('inspecting')}</p>}
      {inspecting.isError && wrongAddress === null && <ShownFailure error={inspecting.error} />}
      {found && <Found found={found} onLook={look} />}
      {isFound && (
        <Section title={words('settings')} note={isMapped(typed.type) ? words('mappingNote') : undefined}>
          <Form isSaving={saving.isPending} className={styles.form} onSubmit={save}>
            <SourceFields
              typed={typed}
              onChange={edit}
              error={saving.error ?? trying.error}
              found={found.fields}
            />
            <Row>
              <Button isPending={trying.isPending} onPress={() => trying.submit(settingsOf(typed))}>
                {words('try')}
              </Button>
              <Button look="primary" type="submit" isPending={saving.isPending}>
                {words('save')}
              </Button>
              {isChanged && (
                <Button
                  look="quiet"
                  onPress={() => {
                    clear()
                    inspecting.reset()
                    trying.reset()
                  }}
                >
                  {words('startAgain')}
                </Button>
              )}
            </Row>
          </Form>
          {(saving.error ?? trying.error) !== null && <ShownFailure error={saving.error ?? trying.error} />}
        </Section>
      )}
      {trying.data && <DryRun key={trying.submittedAt} result={trying.data} />}
    </Page>
  )
}

function DryRun({ result }: { result: Awaited<ReturnType<typeof tryUnsaved>> }) {
  const words = useTranslations('imports')
  const ref = useIntoView<HTMLDivElement>()
  return (
    <div ref={ref}>
      <Section title={words('tried')} note={words('triedNote')}>
        <Tried result={result} />
      </Section>
    </div>
  )
}

/** The kind of address: a feed with its sample, a page that names feeds, or the reason why it cannot be read. */
function Found({
  found,
  onLook,
}: {
  found: Inspection
  onLook: (url: string, title: string | null) => void
}) {
  const words = useTranslations('imports')
  const said = useSaid()
  if (found.error !== null)
    return (
      <Notice tone="warn" title={words('notRead')}>
        <p>{said(found.error)}</p>
      </Notice>
    )
  if (found.type === null)
    return (
      <Section title={words('feeds')} note={words('feedsNote')}>
        <Lines label={words('feeds')}>
          {found.feeds.map(({ url, title, type }) => (
            <OneLine
              key={url}
              icon="link"
              title={title ?? url}
              note={`${words(`type.${type}`)} · ${url}`}
              actions={
                <Button
                  small
                  aria-label={words('useNamed', { name: title ?? url })}
                  onPress={() => onLook(url, title)}
                >
                  {words('use')}
                </Button>
              }
            />
          ))}
        </Lines>
      </Section>
    )
  return (
    <Section title={words('sample')}>
      <p role="status" className={styles.soft}>
        {words('recognised', { type: words(`type.${found.type}`) })}
      </p>
      <Sample items={found.items} />
    </Section>
  )
}

/** Most people know the address of a site without its scheme. */
const withScheme = (url: string) => (/^[a-z]+:\/\//i.test(url) ? url : `https://${url}`)
const hostOf = (url: string) => URL.parse(url)?.host ?? ''

/** A short number for settings: other settings under the same key would be refused. */
const hashOf = (settings: Settings): string => {
  let hash = 0
  for (const sign of JSON.stringify(settings)) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 2_147_483_647
  return String(hash)
}
