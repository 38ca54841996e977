'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { fieldsOf } from '@/components/form/field-name'
import { Form, FormErrors } from '@/components/form/form'
import { FormSwitch } from '@/components/form/form-choice'
import { FormText } from '@/components/form/form-text'
import { SubmitButton } from '@/components/form/submit-button'
import { useContractForm } from '@/components/form/use-contract-form'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { patchUserSettings } from '@/lib/my-account/settings/contract'

function SettingsForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('gallery.dialogs')
  const tu = useTranslations('ui')
  const form = useContractForm(patchUserSettings, {
    defaultValues: { settings: { lang: '', navMini: false } },
    onDone,
  })
  const field = fieldsOf(form)
  return (
    <Form form={form} className="contents">
      <DialogBody className="grid content-start gap-5">
        <FormErrors />
        <FormText name={field('settings.lang')} label={t('lang')} mono />
        <FormSwitch name={field('settings.navMini')} label={t('navMini')} />
      </DialogBody>
      <DialogFooter>
        <DialogCancel />
        <SubmitButton>{tu('save')}</SubmitButton>
      </DialogFooter>
    </Form>
  )
}

/** A form that really saves. The errors of the server are shown next to their fields. */
export function SettingsDialog() {
  const t = useTranslations('gallery.dialogs')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {t('settings')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('settingsTitle')} size="S">
        <SettingsForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}
