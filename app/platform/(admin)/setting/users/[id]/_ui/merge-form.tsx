'use client'

import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { MergePreview } from '@/components/card/merge-preview'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { useContractForm } from '@/components/form/use-contract-form'
import { useRemote } from '@/components/form/use-remote'
import type { Search } from '@/components/form/use-search'
import { Alert } from '@/components/ui/alert'
import { mergeUsers, previewUserMerge, type UserMergePreview } from '@/lib/account-administration/user-merge/contract'
import { call } from '@/lib/base/http/client'

type Props = { user: { id: string }; onDone: () => void }

/** Merges duplicates of a person into this account: which ones, and the consequences. */
export function MergeForm({ user: { id }, onDone }: Props) {
  const t = useTranslations('users')
  const people = useRemote('people')
  const search = useMemo<Search>(
    () => async (text, signal) => (await people(text, signal)).filter(({ value }) => value !== id),
    [people, id],
  )
  const [refused, setRefused] = useState(false)
  const form = useContractForm(mergeUsers, {
    defaultValues: { targetId: id, sourceIds: [], versions: {} },
    fieldOf: (fault) => (fault.startsWith('sourceIds') ? 'sourceIds' : fault),
    onDone,
  })
  return (
    <DialogForm form={form} verb={refused ? null : t('mergeVerb')} danger>
      <FormCombobox
        multiple
        name={fieldsOf(form)('sourceIds')}
        label={t('mergeSources')}
        hint={t('mergeSourcesHint')}
        search={search}
      />
      <MergePreview
        read={(sourceIds) => call(previewUserMerge, { query: { targetId: id, sourceIds } })}
        onRead={(preview) => {
          const versions = preview.users.map(({ id, updatedAt }) => [id, updatedAt])
          form.form.setValue('versions', Object.fromEntries(versions))
          setRefused(refusalOf(preview) !== null)
        }}
        loading={t('mergeLoading')}
        failed={t('mergeFailed')}
      >
        {(preview) => <Outcome preview={preview} />}
      </MergePreview>
    </DialogForm>
  )
}

/** Returns why these accounts can't be merged, as the call would refuse it; null if they can. */
function refusalOf({ users: [, ...sources], allowed }: UserMergePreview) {
  if (!allowed) return 'mergeDenied'
  if (sources.some(({ own }) => own)) return 'mergeOwn'
  return sources.some(({ directory }) => directory) ? 'mergeDirectory' : null
}

function Outcome({ preview }: { preview: UserMergePreview }) {
  const { users, effects, filled, lost } = preview
  const t = useTranslations('users')
  const titles = (fields: readonly { title: string }[]) => fields.map(({ title }) => title).join(', ')
  const movedTexts = [
    effects.roles > 0 && t('mergeRoles', { count: String(effects.roles) }),
    effects.contractors > 0 && t('mergeContractors', { count: String(effects.contractors) }),
    effects.requests > 0 && t('mergeRequests', { count: String(effects.requests) }),
  ].filter((line) => line !== false)
  const [, ...sources] = users
  const refusal = refusalOf(preview)
  if (refusal)
    return (
      <Alert role="alert" tone="danger">
        {t(refusal)}
      </Alert>
    )
  return (
    <div className="grid gap-5">
      <div role="status" className="grid gap-1">
        <p className="font-semibold">{t('mergeEffects')}</p>
        {movedTexts.length > 0 || filled.length > 0 ? null : <p className="text-ink-second">{t('mergeNothing')}</p>}
        {movedTexts.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {filled.length > 0 ? <p>{t('mergeFilled', { fields: titles(filled) })}</p> : null}
      </div>
      <Alert tone="warning" title={t('mergeWarning')}>
        <ul className="grid gap-0.5">
          {sources.map(({ id, name, login }) => (
            <li key={id} className="wrap-anywhere">
              {name ? `${name} (${login})` : login}
            </li>
          ))}
        </ul>
        <p>{t('mergeSeen')}</p>
        {effects.sessions > 0 ? <p>{t('mergeSessions', { count: String(effects.sessions) })}</p> : null}
        {lost.length > 0 ? <p>{t('mergeLost', { fields: titles(lost) })}</p> : null}
      </Alert>
    </div>
  )
}
