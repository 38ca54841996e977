import { type ClassValue, clsx } from 'clsx'

/**
 * Joins class names. It doesn't resolve contradictions, because that needs a library of 9 KB: components take classes
 * for position and size, and props for everything else.
 */
export const cn = (...classes: ClassValue[]) => clsx(classes)
