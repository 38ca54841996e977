'use client'

import { KeyRound, Power, PowerOff, RefreshCw, ShieldCheck, Trash2, Unplug } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { lazy, type ReactNode, Suspense } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { EditableGroup } from '@/components/card/editable-group'
import { ActionButton } from '@/components/form/action-button'
import { type Action, sends } from '@/components/form/actions'
import { SecretField } from '@/components/form/secret-field'
import { call } from '@/lib/base/http/client'
import { localName } from '@/lib/base/i18n/local-name'
import type { ApplicationCard } from '@/lib/openid/applications/contract'

type Client = ApplicationCard['clients'][number]

const calls = () => import('@/lib/openid/clients/contract')

// each is loaded when its dialog opens
const NewClient = lazy(() => import('./client-form').then((part) => ({ default: part.NewClient })))
const RotateSecret = lazy(() => import('./client-dialogs').then((part) => ({ default: part.RotateSecret })))
const ProveClient = lazy(() => import('./client-dialogs').then((part) => ({ default: part.ProveClient })))

/** The button that creates a client, with its dialog; the new client is shown then. */
export function CreateClient({ application, path }: { application: ApplicationCard; path: string }) {
  const [t, locale] = [useTranslations('clients'), useLocale()]
  const router = useRouter()
  const show = (clientId: string) => router.replace(`${path}&client=${encodeURIComponent(clientId)}`, { scroll: false })
  return (
    <ActionButton
      action={{
        kind: 'dialog',
        label: t('create'),
        icon: KeyRound,
        title: t('createTitle'),
        text: t('createText', { name: localName(application, locale) }),
        body: (done) => (
          <Suspense>
            <NewClient
              applicationId={application.id}
              onDone={(clientId) => {
                done()
                show(clientId)
              }}
            />
          </Suspense>
        ),
      }}
    />
  )
}

type SecretProps = { clientId: string; what: string; tail: string; current: boolean }

/** A secret of a client; only the current one can be read, by people who may replace it. */
export function ClientSecret({ clientId, what, tail, current }: SecretProps) {
  const read = async () => {
    const { readClientSecret } = await calls()
    return (await call(readClientSecret, { params: { clientId } })).secret
  }
  return <SecretField key={tail} what={what} tail={tail} read={current ? read : undefined} />
}

type ActionsProps = { client: Client; path: string; mayWrite: boolean }

/** The actions on a client. Its secrets may be replaced even if the rest of it is fixed. */
export function ClientActions({ client, path, mayWrite }: ActionsProps) {
  const t = useTranslations('clients')
  const router = useRouter()
  const { clientId, name, enabled, updatedAt, secrets } = client
  const params = { clientId }
  const rotate: Action = {
    kind: 'dialog',
    label: t('rotate'),
    icon: RefreshCw,
    size: 'S',
    title: t('rotateTitle', { name }),
    text: t('rotateText'),
    body: (done) => (
      <Suspense>
        <RotateSecret clientId={clientId} updatedAt={updatedAt} onDone={done} />
      </Suspense>
    ),
  }
  const endPrevious: Action = {
    kind: 'confirm',
    label: t('endPrevious'),
    icon: Unplug,
    tone: 'danger',
    ask: { title: t('endPreviousTitle', { name }), text: t('endPreviousText'), tone: 'danger' },
    sends: sends(() => calls().then((contracts) => contracts.endPreviousSecret), { params }),
  }
  const prove: Action = {
    kind: 'dialog',
    label: t('prove'),
    icon: ShieldCheck,
    size: 'M',
    title: t('proveTitle', { name }),
    text: t('proveText'),
    body: (done) => (
      <Suspense>
        <ProveClient client={client} onDone={done} />
      </Suspense>
    ),
  }
  const toggle: Action = {
    kind: 'confirm',
    label: t(enabled ? 'disable' : 'enable'),
    icon: enabled ? PowerOff : Power,
    ...(enabled ? { tone: 'danger' as const } : {}),
    ask: enabled
      ? { title: t('offTitle', { name }), text: t('offText'), tone: 'danger' }
      : { title: t('onTitle', { name }), text: t('onText'), tone: 'primary' },
    sends: sends(
      () => calls().then((contracts) => contracts.enableClient),
      { params, body: { enabled: !enabled, updatedAt } },
      { params: { enabled: String(!enabled) } },
    ),
  }
  const remove: Action = {
    kind: 'confirm',
    label: t('delete'),
    icon: Trash2,
    tone: 'danger',
    ask: { title: t('deleteTitle', { name }), text: t('deleteText'), tone: 'danger' },
    sends: sends(
      () => calls().then((contracts) => contracts.deleteClient),
      { params },
      { onDone: () => router.replace(path) },
    ),
  }
  const bySecret = client.authMethod.startsWith('client_secret')
  if (!mayWrite) return null
  return (
    <CardActions name={name} actions={[bySecret && rotate, prove, secrets.length > 1 && endPrevious, toggle, remove]} />
  )
}

type GroupProps = { client: Client; title: string; note: string; mayEdit: boolean; children: ReactNode }

/** How a client signs people in, edited in place. */
export function ClientGroup({ client, title, note, mayEdit, children }: GroupProps) {
  const form = () => import('./client-form').then((part) => part.ClientForm)
  return (
    <EditableGroup key={client.clientId} title={title} note={note} form={form} of={{ client }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}
