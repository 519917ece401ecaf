import { type RefObject, useEffect, useRef } from 'react'

/** Fields that Mantine does not mark as invalid, such as those of several inputs, are in an element that is. */
const refused = '[aria-invalid="true"], [data-refused] :is(input, [role="slider"])'

/** When a save ends, the focus goes to the first field that the server refused, whose message comes into view. */
export function useFocusOfRefusedField(form: RefObject<HTMLElement | null>, isSaving: boolean): void {
  const wasSaving = useRef(isSaving)
  useEffect(() => {
    if (wasSaving.current && !isSaving) {
      const field = form.current?.querySelector<HTMLElement>(refused)
      field?.focus()
      field?.closest('[data-refused]')?.scrollIntoView({ block: 'nearest' })
    }
    wasSaving.current = isSaving
  }, [form, isSaving])
}
