'use client'

import * as Dropdown from '@radix-ui/react-dropdown-menu'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { cn } from './cn'
import { Check } from './icons'
import { useAskedBy } from './use-later'

export const Menu = Dropdown.Root
export const MenuTrigger = Dropdown.Trigger
export const MenuRadioGroup = Dropdown.RadioGroup

/** The popup of a menu. It stays inside the landmark of its button. It floats, so it has a shadow. */
export function MenuContent({ className, ...rest }: ComponentProps<typeof Dropdown.Content>) {
  const content = useRef<HTMLDivElement>(null)
  const askedBy = useAskedBy()
  useEffect(() => {
    // the person pressed the key before the menu was mounted, so the first item gets the focus here
    if (askedBy === 'keyboard') content.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
  }, [askedBy])
  return (
    <Dropdown.Content
      ref={content}
      sideOffset={6}
      collisionPadding={8}
      {...rest}
      className={cn(
        'z-40 min-w-44 animate-arrive rounded-card border border-line bg-surface p-1 text-left text-table shadow-float',
        className,
      )}
    />
  )
}

/** One of several options, of which one is chosen. */
export function MenuRadioItem({ className, children, ...rest }: ComponentProps<typeof Dropdown.RadioItem>) {
  return (
    <Dropdown.RadioItem
      {...rest}
      className={cn(
        'flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-control px-3 outline-none data-[highlighted]:bg-sunken data-[state=checked]:font-medium pointer-coarse:min-h-11',
        className,
      )}
    >
      {children}
      <Dropdown.ItemIndicator>
        <Check className="size-4 text-brand" />
      </Dropdown.ItemIndicator>
    </Dropdown.RadioItem>
  )
}

/** An option that can be on or off. The menu stays open, so that several can be switched. */
export function MenuCheckboxItem({ className, children, ...rest }: ComponentProps<typeof Dropdown.CheckboxItem>) {
  return (
    <Dropdown.CheckboxItem
      onSelect={(event) => event.preventDefault()}
      {...rest}
      className={cn(
        'flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-control px-3 outline-none data-[highlighted]:bg-sunken pointer-coarse:min-h-11',
        className,
      )}
    >
      {children}
      <Dropdown.ItemIndicator>
        <Check className="size-4 text-brand" />
      </Dropdown.ItemIndicator>
    </Dropdown.CheckboxItem>
  )
}

const itemLook = (tone?: 'danger') =>
  cn(
    'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-3 outline-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 pointer-coarse:min-h-11',
    tone === 'danger' ? 'text-danger data-[highlighted]:bg-danger-tint' : 'data-[highlighted]:bg-sunken',
  )

/** An action, in the danger color if it can't be undone. */
export function MenuItem({ tone, className, ...rest }: ComponentProps<typeof Dropdown.Item> & { tone?: 'danger' }) {
  return <Dropdown.Item {...rest} className={cn(itemLook(tone), className)} />
}

/**
 * An action that isn't possible now, with the reason below. Arrow keys reach it, so that everybody can read the reason.
 */
export function MenuNote({ icon, label, note }: { icon: ReactNode; label: string; note: string }) {
  return (
    <Dropdown.Item
      aria-disabled="true"
      textValue={label}
      onSelect={(event) => event.preventDefault()}
      className="flex min-h-9 max-w-72 cursor-not-allowed gap-2.5 rounded-control px-3 py-1.5 text-ink-second outline-none data-[highlighted]:bg-sunken pointer-coarse:min-h-11"
    >
      <span className="mt-0.5">{icon}</span>
      <span className="grid gap-0.5">
        {label}
        <span className="text-note">
          <span className="sr-only">: </span>
          {note}
        </span>
      </span>
    </Dropdown.Item>
  )
}

/** An item that contains a link. */
export function MenuLink({ children }: { children: ReactNode }) {
  return (
    <Dropdown.Item asChild className={itemLook()}>
      {children}
    </Dropdown.Item>
  )
}

export function MenuSeparator() {
  return <Dropdown.Separator className="my-1 h-px bg-line" />
}
