print(50, flush=True)
