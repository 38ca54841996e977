'use client'

import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { MergePreview } from '@/components/card/merge-preview'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { useContractForm } from '@/components/form/use-contract-form'
import type { Search } from '@/components/form/use-search'
import { Alert } from '@/components/ui/alert'
import { call } from '@/lib/base/http/client'
import {
  type ContractorCard,
  type MergePreview as ContractorMerge,
  listContractors,
  mergeContractors,
  previewContractorMerge,
  searchContractors,
} from '@/lib/companies/contractors/contract'
import { MergeConflicts } from './merge-conflicts'

type Props = { contractor: Pick<ContractorCard, 'id' | 'name'>; onDone: () => void }

/** Finds contractors to merge into one; without a text, possible duplicates if there are any. */
const useSources = (id: string): Search =>
  useCallback(
    async (text, signal) => {
      const optionOf = ({ id, name, inn }: { id: string; name: string; inn: string }) => ({
        value: id,
        label: name,
        ...(inn ? { note: inn } : {}),
      })
      if (text === '') {
        const query = { filter: { similarTo: id } }
        const { contractors } = await call(listContractors, { query }, { signal })
        if (contractors.length > 0) return contractors.map(optionOf)
      }
      const query = text ? { searchValue: text } : {}
      const { contractors } = await call(searchContractors, { query }, { signal })
      return contractors.filter((each) => each.id !== id).map(optionOf)
    },
    [id],
  )

/** Merges other contractors into this one: which ones, what moves, and which requisites stay. */
export function MergeForm({ contractor: { id }, onDone }: Props) {
  const t = useTranslations('contractors')
  const search = useSources(id)
  const form = useContractForm(mergeContractors, {
    defaultValues: { targetId: id, sourceIds: [], take: {}, versions: {} },
    onDone,
  })
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={t('mergeVerb')} danger>
      <FormCombobox
        multiple
        name={field('sourceIds')}
        label={t('mergeSources')}
        hint={t('mergeSourcesHint')}
        search={search}
      />
      <MergePreview
        read={(sourceIds) => call(previewContractorMerge, { query: { targetId: id, sourceIds } })}
        onRead={({ contractors, conflicts }) => {
          const versions = contractors.map(({ id, updatedAt }) => [id, updatedAt])
          form.form.setValue('versions', Object.fromEntries(versions))
          form.form.setValue('take', Object.fromEntries(conflicts.map(({ field, from }) => [field, from])))
        }}
        loading={t('mergeLoading')}
        failed={t('mergeFailed')}
      >
        {(preview) => (
          <div className="grid gap-5">
            <Effects preview={preview} />
            {preview.conflicts.length > 0 ? <MergeConflicts preview={preview} /> : null}
            <Warnings preview={preview} />
          </div>
        )}
      </MergePreview>
    </DialogForm>
  )
}

function Effects({ preview: { effects } }: { preview: ContractorMerge }) {
  const t = useTranslations('contractors')
  const movedTexts = [
    effects.people > 0 && t('mergePeople', { count: effects.people }),
    effects.roles > 0 && t('mergeRoles', { count: effects.roles }),
    effects.organizations > 0 && t('mergeOrganizations', { count: effects.organizations }),
    effects.invitations > 0 && t('mergeInvitations', { count: effects.invitations }),
  ].filter((line) => line !== false)
  return (
    <div role="status" className="grid gap-1">
      <p className="font-semibold">{t('mergeEffects')}</p>
      {movedTexts.length > 0 ? (
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {movedTexts.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-second">{t('mergeNothing')}</p>
      )}
    </div>
  )
}

function Warnings({ preview: { contractors, allowed } }: { preview: ContractorMerge }) {
  const t = useTranslations('contractors')
  const [target, ...sources] = contractors
  if (!allowed)
    return (
      <Alert role="alert" tone="danger">
        {t('mergeDenied')}
      </Alert>
    )
  return (
    <Alert tone="warning" title={t('mergeWarning')}>
      {target?.enabled ? null : <p>{t('mergeDisabled')}</p>}
      {target?.enabled && sources.some(({ enabled }) => !enabled) ? <p>{t('mergeEnabling')}</p> : null}
    </Alert>
  )
}
