/**
 * Lets the browser say at the first date or time of a form that it is incomplete or too late. Returns whether there is one.
 * The value of an incomplete one is empty, which would be sent as no date at all.
 */
export function reportIncomplete(form: HTMLFormElement): boolean {
  const inputs = [...form.elements].filter((element) => element instanceof HTMLInputElement)
  const incomplete = inputs.find(({ validity }) => validity.badInput || validity.rangeOverflow)
  return incomplete !== undefined && !incomplete.reportValidity()
}
