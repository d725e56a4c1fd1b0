import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { ShownFailure } from '../shown-failure.tsx'
import { createWebhook, type EventType, type Owner, updateWebhook, type Webhook } from './queries.ts'
import { typesFor, useTypeName } from './types.ts'
import styles from './webhooks.module.css'

/** A webhook as the response to a change shows it; with its secret, if the change made one. */
export type Done = Webhook & { secret?: string }
type FormProps = {
  acteurId: Owner
  /** The one to change; without it, another one is made. */
  webhook?: Webhook
  onDone: (webhook: Done) => void
}
type DialogProps = FormProps & { isOpen: boolean; onClose: () => void }

/** Dialog for the address of a webhook, and for what it hears of. */
export function WebhookDialog({ isOpen, onClose, ...form }: DialogProps) {
  const words = useTranslations('webhooks')
  return (
    <Dialog title={words(form.webhook ? 'editTitle' : 'add')} isOpen={isOpen} onClose={onClose}>
      {isOpen && <WebhookForm {...form} />}
    </Dialog>
  )
}

function WebhookForm({ acteurId, webhook, onDone }: FormProps) {
  const words = useTranslations('webhooks')
  const nameOf = useTypeName()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [chosen, setChosen] = useState<readonly EventType[]>(webhook?.types ?? [])
  const offered = typesFor(acteurId)
  const types = offered.filter((type) => chosen.includes(type))
  const { submit, isPending, error } = useSubmit({
    mutationFn: async (): Promise<Done> => {
      const body = { url: url.trim(), types }
      return webhook ? updateWebhook(webhook, body) : createWebhook(acteurId, body)
    },
    onSuccess: onDone,
  })
  const wrong = (field: string) => messageFor(error, field)
  return (
    <Form isSaving={isPending} onSubmit={() => submit()}>
      <TextField
        label={words('url')}
        help={words('urlHelp')}
        isRequired
        autoFocus
        type="url"
        inputMode="url"
        maxLength={2_000}
        value={url}
        onChange={setUrl}
        error={wrong('url')}
      />
      <fieldset className={styles.types} aria-labelledby="webhook-types">
        <span id="webhook-types">{words('hears')}</span>
        {offered.map((type) => (
          <Checkbox
            key={type}
            isSelected={chosen.includes(type)}
            isDisabled={isPending}
            onChange={(isChosen) =>
              setChosen(isChosen ? [...chosen, type] : chosen.filter((one) => one !== type))
            }
          >
            {nameOf(type)}
          </Checkbox>
        ))}
        {wrong('types') && <p className={styles.wrong}>{wrong('types')}</p>}
      </fieldset>
      {error !== null && wrong('url') === null && wrong('types') === null && <ShownFailure error={error} />}
      <Button look="primary" wide type="submit" isPending={isPending} isDisabled={types.length === 0}>
        {words(webhook ? 'save' : 'make')}
      </Button>
    </Form>
  )
}
