import type { ComponentProps } from 'react'
import { cn } from './cn'

const shape =
  'cursor-pointer rounded-[2px] underline decoration-1 underline-offset-4 transition-colors hover:decoration-2'
const tones = { brand: 'text-brand', danger: 'text-danger' }

/** The look of a link in the text. */
export const textLinkClasses = `${shape} ${tones.brand}`

/** A link in the text. It loads the whole page, because the content of public pages depends on who opens them. */
export function TextLink({ tone = 'brand', className, ...rest }: ComponentProps<'a'> & { tone?: keyof typeof tones }) {
  return <a {...rest} className={cn(shape, tones[tone], className)} />
}

/** A button that looks like a link. */
export function LinkButton({ className, ...rest }: ComponentProps<'button'>) {
  return <button type="button" {...rest} className={cn(textLinkClasses, className)} />
}
