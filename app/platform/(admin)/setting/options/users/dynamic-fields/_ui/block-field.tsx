'use client'

import { Plus } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { FieldName } from '@/components/form/field-name'
import { useFormMethods } from '@/components/form/form'
import { FormSelect } from '@/components/form/form-select'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { localName } from '@/lib/base/i18n/local-name'
import { NewBlock } from './block-form'
import { useKnownFields } from './known'
import type { Values } from './values'

/** The block of a field, from any tab of its type. A new block is created in a dialog above. */
export function BlockField({ name, locked }: { name: FieldName<string>; locked: boolean }) {
  const t = useTranslations('dynamic-fields')
  const locale = useLocale()
  const { tabs } = useKnownFields()
  const { setValue } = useFormMethods<Values>()
  const chosen = useWatch<Values, 'subtype'>({ name: 'subtype' })
  const [open, setOpen] = useState(false)
  const blockOptions = tabs.flatMap((tab) =>
    tab.blocks.map((block) => {
      const label = localName(block, locale)
      return {
        value: block.code,
        label: tabs.length > 1 ? t('inTab', { tab: localName(tab, locale), block: label }) : label,
      }
    }),
  )
  // the page doesn't know a block that was created just now
  const options =
    chosen && !blockOptions.some(({ value }) => value === chosen)
      ? [...blockOptions, { value: chosen, label: chosen }]
      : blockOptions
  return (
    <div className="grid gap-2">
      <FormSelect
        name={name}
        label={t('block')}
        hint={t(locked ? 'lockedPart' : 'blockHint')}
        options={options}
        disabled={locked}
      />
      {locked ? null : (
        <Button variant="quiet" size="S" onClick={() => setOpen(true)} className="justify-self-start">
          <Plus aria-hidden="true" className="size-4" />
          {t('createBlock')}
        </Button>
      )}
      <Dialog open={open} onOpenChange={setOpen} title={t('createBlockTitle')}>
        <NewBlock
          onDone={({ id }) => {
            if (id) setValue('subtype', id, { shouldDirty: true, shouldValidate: true })
            setOpen(false)
          }}
        />
      </Dialog>
    </div>
  )
}
