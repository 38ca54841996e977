'use client'

import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { MergePreview } from '@/components/card/merge-preview'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { useContractForm } from '@/components/form/use-contract-form'
import { useRemote } from '@/components/form/use-remote'
import type { Search } from '@/components/form/use-search'
import { Alert } from '@/components/ui/alert'
import { mergeUsers, previewUserMerge, type UserMergePreview } from '@/lib/entry/user-merge/contract'
import { call } from '@/lib/kernel/http/client'

type Props = { user: { id: string }; onDone: () => void }

/** Merges doubles of a person into this account: which, and what that does. */
export function MergeForm({ user: { id }, onDone }: Props) {
  const t = useTranslations('users')
  const people = useRemote('people')
  const search = useMemo<Search>(
    () => async (text, signal) => (await people(text, signal)).filter(({ value }) => value !== id),
    [people, id],
  )
  const form = useContractForm(mergeUsers, {
    defaultValues: { targetId: id, sourceIds: [], versions: {} },
    fieldOf: (fault) => (fault.startsWith('sourceIds') ? 'sourceIds' : fault),
    onDone,
  })
  return (
    <DialogForm form={form} verb={t('mergeVerb')} danger>
      <FormCombobox
        multiple
        name={fieldsOf(form)('sourceIds')}
        label={t('mergeSources')}
        hint={t('mergeSourcesHint')}
        search={search}
      />
      <MergePreview
        read={(sourceIds) => call(previewUserMerge, { query: { targetId: id, sourceIds } })}
        onRead={({ users }) =>
          form.form.setValue('versions', Object.fromEntries(users.map(({ id, updatedAt }) => [id, updatedAt])))
        }
        loading={t('mergeLoading')}
        failed={t('mergeFailed')}
      >
        {(preview) => <Outcome preview={preview} />}
      </MergePreview>
    </DialogForm>
  )
}

function Outcome({ preview: { users, effects, filled, lost, allowed } }: { preview: UserMergePreview }) {
  const t = useTranslations('users')
  const titles = (fields: readonly { title: string }[]) => fields.map(({ title }) => title).join(', ')
  const moved = [
    effects.roles > 0 && t('mergeRoles', { count: String(effects.roles) }),
    effects.contractors > 0 && t('mergeContractors', { count: String(effects.contractors) }),
    effects.requests > 0 && t('mergeRequests', { count: String(effects.requests) }),
  ].filter((line) => line !== false)
  const [, ...sources] = users
  if (!allowed)
    return (
      <Alert role="alert" tone="danger">
        {t('mergeDenied')}
      </Alert>
    )
  if (sources.some(({ directory }) => directory))
    return (
      <Alert role="alert" tone="danger">
        {t('mergeDirectory')}
      </Alert>
    )
  return (
    <div className="grid gap-5">
      <div role="status" className="grid gap-1">
        <p className="font-semibold">{t('mergeEffects')}</p>
        <p className={moved.length > 0 ? undefined : 'text-ink-second'}>{moved.join(', ') || t('mergeNothing')}</p>
        {filled.length > 0 ? <p>{t('mergeFilled', { fields: titles(filled) })}</p> : null}
      </div>
      <Alert tone="warning" title={t('mergeWarning')}>
        <p className="wrap-anywhere">
          {sources.map(({ name, login }) => (name ? `${name} (${login})` : login)).join(', ')}
        </p>
        <p>{t('mergeSessions', { count: String(effects.sessions) })}</p>
        {lost.length > 0 ? <p>{t('mergeLost', { fields: titles(lost) })}</p> : null}
      </Alert>
    </div>
  )
}
