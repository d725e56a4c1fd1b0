import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, got } from '../api/client.ts'
import { meQuery } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Row } from '../ui/layout.tsx'
import { Notice } from '../ui/notice.tsx'
import { showToast } from '../ui/toast.tsx'
import { useSubmit } from './editing/use-submit.ts'
import styles from './name-prompt.module.css'
import { changeSettings } from './settings.ts'
import { ShownFailure } from './shown-failure.tsx'

/** Asks a user without a name for it, once on each device: colleagues read it beside what they do. */
export function NamePrompt() {
  const words = useTranslations('namePrompt')
  const client = useQueryClient()
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const saving = useSubmit({
    mutationFn: async (nom: string) => (await got(api.PATCH('/api/v1/me', { body: { nom } }))).data,
    onSuccess: async (me) => {
      client.setQueryData(meQuery.queryKey, me)
      showToast({ title: words('saved', { nom: me.nom ?? '' }) })
      await router.invalidate()
    },
  })
  const save = () => {
    const nom = typed.trim()
    setMissing(nom === '')
    if (nom === '') field.current?.focus()
    else saving.submit(nom)
  }
  return (
    <div className={styles.prompt}>
      <Notice icon="user" title={words('title')}>
        <Form isSaving={saving.isPending} className={styles.form} onSubmit={save}>
          <TextField
            label={words('name')}
            help={words('help')}
            autoComplete="name"
            isRequired
            maxLength={200}
            inputRef={field}
            value={typed}
            onChange={setTyped}
            error={isMissing ? words('missing') : null}
          />
          {saving.isError && <ShownFailure error={saving.error} />}
          <Row>
            <Button look="primary" type="submit" isPending={saving.isPending}>
              {words('save')}
            </Button>
            <Button look="quiet" onPress={() => changeSettings({ asksName: false })}>
              {words('skip')}
            </Button>
          </Row>
        </Form>
      </Notice>
    </div>
  )
}
