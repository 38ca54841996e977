'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { GroupForm } from '@/components/card/group-form'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import { SecretField } from '@/components/form/secret-field'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { DialogBody, DialogFooter } from '@/components/ui/dialog'
import {
  createWebhook,
  rotateWebhookSecret,
  type TypeChoice,
  updateWebhook,
  type Webhook,
} from '@/lib/applications/webhooks/contract'
import type { WebhookType } from '@/lib/applications/webhooks/types'
import { WebhookTypes } from './webhook-types'

type NewWebhookProps = { applicationId: string; types: readonly TypeChoice[]; access: string; onDone: () => void }

function WebhookFields({
  form,
  types,
  access,
}: { form: FormOf<BodyOf<typeof createWebhook>> } & Omit<NewWebhookProps, 'onDone' | 'applicationId'>) {
  const t = useTranslations('webhooks')
  const field = fieldsOf(form)
  return (
    <>
      <FormText name={field('name')} label={t('name')} maxLength={100} />
      <FormText mono name={field('url')} label={t('url')} hint={t('urlHint')} maxLength={2048} />
      <WebhookTypes name={field('types')} types={types} access={access} />
    </>
  )
}

/** Creates a webhook, then shows its secret. */
export function NewWebhook({ applicationId, types, access, onDone }: NewWebhookProps) {
  const tUi = useTranslations('ui')
  const [secret, setSecret] = useState<string | null>(null)
  const form = useContractForm<typeof createWebhook>(createWebhook, {
    parts: { params: { id: applicationId } },
    defaultValues: { name: '', url: '', types: [] },
    onDone: (created) => setSecret(created.secret),
  })
  if (secret !== null) return <NewSecret secret={secret} onDone={onDone} />
  return (
    <DialogForm form={form} verb={tUi('create')}>
      <WebhookFields form={form} types={types} access={access} />
    </DialogForm>
  )
}

/** Edits a webhook in its group. */
export function WebhookForm({ applicationId, types, access, webhook, onDone }: NewWebhookProps & { webhook: Webhook }) {
  const { id: webhookId, name, url, types: chosen, updatedAt } = webhook
  const form = useContractForm<typeof updateWebhook>(updateWebhook, {
    parts: { params: { id: applicationId, webhookId } },
    defaultValues: { name, url, types: chosen as WebhookType[], updatedAt },
    onDone,
  })
  return (
    <GroupForm form={form} onDone={onDone}>
      <WebhookFields form={form as FormOf<BodyOf<typeof createWebhook>>} types={types} access={access} />
    </GroupForm>
  )
}

type Rotating = { params: { id: string; webhookId: string }; updatedAt: string; onDone: () => void }

/** Creates a new secret, then shows it. */
export function RotateWebhookSecret({ params, updatedAt, onDone }: Rotating) {
  const t = useTranslations('webhooks')
  const [secret, setSecret] = useState<string | null>(null)
  const form = useContractForm<typeof rotateWebhookSecret>(rotateWebhookSecret, {
    parts: { params },
    defaultValues: { updatedAt },
    onDone: (created) => setSecret(created.secret),
  })
  if (secret !== null) return <NewSecret secret={secret} onDone={onDone} />
  return (
    <DialogForm form={form} verb={t('rotateVerb')}>
      <p>{t('rotateAsk')}</p>
    </DialogForm>
  )
}

/** A new secret, to be copied: nobody can read it later. */
function NewSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [t, tUi] = [useTranslations('webhooks'), useTranslations('ui')]
  const first = useRef<HTMLParagraphElement>(null)
  // the form was removed, and the focus with it
  useEffect(() => first.current?.focus(), [])
  return (
    <>
      <DialogBody className="grid content-start gap-4">
        <p ref={first} tabIndex={-1} data-quiet-focus className="font-semibold">
          {t('secretMade')}
        </p>
        <SecretField what={t('secret')} tail={secret.slice(-4)} read={async () => secret} />
        <Alert tone="warning">{t('secretOnce')}</Alert>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onDone}>{tUi('done')}</Button>
      </DialogFooter>
    </>
  )
}
