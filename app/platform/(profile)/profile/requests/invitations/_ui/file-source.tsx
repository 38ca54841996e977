'use client'

import { FileDown, Upload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormRows } from '@/components/form/form-rows'
import { FormTextarea } from '@/components/form/form-text'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { type Option, type Search, searchIn } from '@/components/form/use-search'
import { Button } from '@/components/ui/button'
import { checkInvitationImport, longestText, type Preview } from '@/lib/entry/invitation-import/contract'
import { call } from '@/lib/kernel/http/client'
import { listGrantableRoles, listManagedContractors } from '@/lib/people/access-requests/contract'
import { saveCsv } from './save-csv'

type Place = { organizationId: string | null; roles: string[] }
export type Source = { text: string; contractorId: string | null; access: Place[] }

/** Returns the body of the calls: nothing for what wasn't chosen. */
export const bodyOf = ({ text, contractorId, access }: Source) => ({
  text,
  ...(contractorId ? { contractorId } : {}),
  ...(contractorId && access.length > 0
    ? { access: access.map(({ organizationId, roles }) => ({ organizationId: organizationId ?? '', roles })) }
    : {}),
})

type Props = {
  source: Source
  onChecked: (source: Source, preview: Preview) => void
  children: ReactNode
}

/** The list itself, pasted or from a file, and what rows get that don't say it. Its verb has the list checked. */
export function FileSource({ source, onChecked, children }: Props) {
  const t = useTranslations('invitation-import')
  const sent = useRef(source)
  const form: ContractForm<Source> = useContractForm<typeof checkInvitationImport, Source>(checkInvitationImport, {
    defaultValues: source,
    toBody: (values) => {
      sent.current = values
      return bodyOf(values)
    },
    onDone: (preview) => onChecked(sent.current, preview),
  })
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={t('check')}>
      <div className="grid gap-2.5">
        <FormTextarea name={field('text')} label={t('text')} hint={t('textHint')} rows={6} />
        <ChooseFile />
      </div>
      <fieldset className="grid gap-4">
        <legend className="mb-1 font-medium text-table">{t('given')}</legend>
        <FormCombobox
          name={field('contractorId')}
          label={t('contractor')}
          hint={t('contractorHint')}
          search={contractors}
        />
        <Access form={form} />
      </fieldset>
      {children}
    </DialogForm>
  )
}

/** Reads a file into the text, so that the person sees what is sent, and offers a sample. */
function ChooseFile() {
  const t = useTranslations('invitation-import')
  const { setValue, setFocus } = useFormContext<Source>()
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState(false)
  const read = async (file: File | undefined) => {
    if (!file) return
    const tooLarge = file.size > 2 * longestText
    setFault(tooLarge)
    if (tooLarge) return
    const [{ decodedText }, bytes] = await Promise.all([import('@/lib/kernel/csv'), file.arrayBuffer()])
    setValue('text', decodedText(new Uint8Array(bytes)), { shouldDirty: true })
    setFocus('text')
  }
  const sample = () => {
    const names = (['email', 'inn', 'organization', 'roles'] as const).map((name) => t(`columns.${name}`))
    void saveCsv(t('sampleName'), [names, ['name@example.com', '', '', '']])
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button variant="secondary" size="S" onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" className="size-4" />
        {t('file')}
      </Button>
      <Button variant="quiet" size="S" onClick={sample}>
        <FileDown aria-hidden="true" className="size-4" />
        {t('sample')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,text/csv,text/plain"
        aria-label={t('file')}
        onChange={({ target }) => {
          void read(target.files?.[0])
          // the same file may be chosen again
          target.value = ''
        }}
      />
      {fault ? (
        <p role="alert" className="text-danger text-note">
          {t('fileTooLarge')}
        </p>
      ) : null}
    </div>
  )
}

/** Where people of the found companies may hold roles. */
const places = new Map<string, Option[]>()

async function managed(text: string, signal?: AbortSignal) {
  const query = text ? { filter: { search: text } } : {}
  const { contractors: found } = await call(listManagedContractors, { query }, signal ? { signal } : {})
  for (const { id, availableOrganizations } of found)
    places.set(
      id,
      availableOrganizations.map((each) => ({ value: each.id, label: each.name })),
    )
  return found
}

const contractors: Search = Object.assign(
  async (text: string, signal: AbortSignal): Promise<Option[]> => {
    const found = await managed(text, signal)
    return found.map(({ id, name, inn }) => ({ value: id, label: name, ...(inn ? { note: inn } : {}) }))
  },
  {
    named: async (ids: string[]) => {
      const found = await managed('')
      return found.flatMap(({ id, name }) => (ids.includes(id) ? [{ value: id, label: name }] : []))
    },
  },
)

type Choices = { of: string; organizations: Search; roles: Search }

/** Reads where people of the chosen company may hold roles, and which of them the person may give. */
function useChoices(): Choices | null {
  const contractorId: string | null = useWatch({ name: 'contractorId' })
  const [choices, setChoices] = useState<Choices | null>(null)
  useEffect(() => {
    if (!contractorId) return setChoices(null)
    const abort = new AbortController()
    const { signal } = abort
    call(listGrantableRoles, { params: { id: contractorId } }, { signal }).then(
      ({ roles }) =>
        setChoices({
          of: contractorId,
          organizations: searchIn(places.get(contractorId) ?? []),
          roles: searchIn(
            roles.flatMap(({ roleId, name, comment, allowed }) =>
              allowed ? [{ value: roleId, label: name, ...(comment ? { note: comment } : {}) }] : [],
            ),
          ),
        }),
      () => !signal.aborted && setChoices(null),
    )
    return () => abort.abort()
  }, [contractorId])
  return choices?.of === contractorId ? choices : null
}

function Access({ form }: { form: ContractForm<Source> }) {
  const t = useTranslations('invitation-import')
  const choices = useChoices()
  if (!choices) return null
  return (
    <FormRows<Place>
      name={fieldsOf(form)('access')}
      label={t('access')}
      rowLabel={t('place')}
      addLabel={t('addPlace')}
      max={200}
      empty={() => ({ organizationId: null, roles: [] })}
    >
      {(field) => (
        <>
          <FormCombobox name={field('organizationId')} label={t('organization')} search={choices.organizations} />
          <FormCombobox multiple name={field('roles')} label={t('roles')} search={choices.roles} />
        </>
      )}
    </FormRows>
  )
}
