'use client'

import { FileDown, Upload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useRef, useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { useFormMethods } from '@/components/form/form'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormTextarea } from '@/components/form/form-text'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { Button } from '@/components/ui/button'
import { saveCsv } from '@/components/ui/save-csv'
import { checkInvitationImport, longestText, type Preview } from '@/lib/joining/invitation-import/contract'
import { type AccessRow, AccessRows, companies, knownCompany, placesOf } from './access-rows'

export type Source = { text: string; contractorId: string | null; access: AccessRow[] }

/** Returns the body of the calls; choices that weren't made are empty. */
export const bodyOf = ({ text, contractorId, access }: Source) => ({
  text,
  ...(contractorId ? { contractorId } : {}),
  ...(contractorId && access.length > 0 ? { access: placesOf(access) } : {}),
})

type Props = {
  source: Source
  onChecked: (source: Source, preview: Preview) => void
  children: ReactNode
}

/** The list, pasted or from a file, and the defaults for its rows. The submit button has the list checked. */
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
          search={companies}
          chosen={knownCompany(source.contractorId)}
        />
        <AccessRows form={form} />
      </fieldset>
      {children}
    </DialogForm>
  )
}

/** Reads a file into the text, so that the person sees what is sent, and offers a sample. */
function ChooseFile() {
  const t = useTranslations('invitation-import')
  const { setValue, setFocus } = useFormMethods<Source>()
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState(false)
  const read = async (file: File | undefined) => {
    if (!file) return
    const tooLarge = file.size > 2 * longestText
    setFault(tooLarge)
    if (tooLarge) return
    const [{ decodedText }, bytes] = await Promise.all([import('@/lib/base/tables/csv'), file.arrayBuffer()])
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
